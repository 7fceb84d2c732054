// Stencils in three dimensions with tuning parameters as macros; NAME is the kernel's name, one for each configuration. SPACE chooses the kernel.
#define KERNEL extern "C" __global__ void
constexpr int unrolled = UNROLL;  // pragmas take constants, not macros
__device__ int within(int x, int n) { return min(max(x, 0), n - 1); }

#if defined(SPACE_box3d)  // 27 points, weights by distance: centre, cross and corners of three planes in registers
struct Sums {
    float centre, cross, corners;
};
KERNEL __launch_bounds__(BX * BY) NAME(const float* __restrict__ in, float* __restrict__ out, int n) {
    constexpr int width = BX + 2, height = BY * TY + 2;
    __shared__ float plane[SHARED ? height : 1][SHARED ? width : 1];
    const int x0 = blockIdx.x * BX, y0 = blockIdx.y * BY * TY, z0 = blockIdx.z * TZ, x = x0 + threadIdx.x, area = n * n;
    Sums below[TY], here[TY];
#pragma unroll
    for (int r = 0; r < TY; ++r) below[r] = here[r] = {};
#pragma unroll unrolled
    for (int k = 0; k < TZ + 2; ++k) {
        const float* level = in + within(z0 + k - 1, n) * area;
        if (SHARED) {
            __syncthreads();
            for (int j = threadIdx.y; j < height; j += BY)
                for (int i = threadIdx.x; i < width; i += BX) plane[SHARED ? j : 0][SHARED ? i : 0] = level[within(y0 + j - 1, n) * n + within(x0 + i - 1, n)];
            __syncthreads();
        }
#pragma unroll
        for (int r = 0; r < TY; ++r) {
            const int j = r * BY + threadIdx.y, y = y0 + j;
            const auto at = [&](int dx, int dy) {
                return SHARED ? plane[SHARED ? j + 1 + dy : 0][SHARED ? threadIdx.x + 1 + dx : 0] : level[within(y + dy, n) * n + within(x + dx, n)];
            };
            const Sums above = {at(0, 0), at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1), at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1)};
            if (k >= 2)
                out[(z0 + k - 2) * area + y * n + x] = 0.3f * here[r].centre + 0.06f * (here[r].cross + below[r].centre + above.centre) +
                                                       0.02f * (here[r].corners + below[r].cross + above.cross) + 0.01f * (below[r].corners + above.corners);
            below[r] = here[r], here[r] = above;
        }
    }
}

#elif defined(SPACE_diffusion3d)  // seven points, a coefficient for each cell, the borders left; blocks of three dimensions, or marches
KERNEL __launch_bounds__(BX * BY * BZ) NAME(const float* __restrict__ in, const float* __restrict__ conductivity, float* __restrict__ out, int n) {
    const int x0 = blockIdx.x * BX * TX + threadIdx.x, y0 = blockIdx.y * BY + threadIdx.y, z0 = (blockIdx.z * BZ + threadIdx.z) * TZ, area = n * n;
    if (y0 == 0 || y0 == n - 1) return;
    float below[TX], here[TX];
    if (QUEUE)
#pragma unroll
        for (int s = 0; s < TX; ++s) {
            const int at = z0 * area + y0 * n + x0 + s * BX;
            below[s] = z0 ? in[at - area] : 0.0f, here[s] = in[at];
        }
#pragma unroll unrolled
    for (int z = z0; z < z0 + TZ; ++z) {
#pragma unroll
        for (int s = 0; s < TX; ++s) {
            const int x = x0 + s * BX, at = z * area + y0 * n + x;
            if (x == 0 || x == n - 1 || z == 0 || z == n - 1) {
                if (QUEUE && z < n - 1) below[s] = here[s], here[s] = in[at + area];
                continue;
            }
            const float down = QUEUE ? below[s] : in[at - area], middle = QUEUE ? here[s] : in[at], up = in[at + area];
            const float flux = in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + down + up - 6.0f * middle;
            out[at] = middle + conductivity[at] * flux;
            below[s] = middle, here[s] = up;
        }
    }
}

#elif defined(SPACE_fused3d)  // two steps of a seven-point stencil at once: the second follows one plane behind, blocks overlap by two
KERNEL __launch_bounds__(BX * BY) NAME(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float first[BY * TY][BX], second[BY * TY][BX];
    const int i = threadIdx.x, x = blockIdx.x * (BX - 4) + i - 2, y0 = blockIdx.y * (BY * TY - 4) - 2, z0 = blockIdx.z * TZ, area = n * n;
    const auto at = [&](int r, int z) { return in[within(z, n) * area + within(y0 + r * BY + threadIdx.y, n) * n + within(x, n)]; };
    float below[TY], here[TY], lower[TY], middle[TY];
#pragma unroll
    for (int r = 0; r < TY; ++r) below[r] = at(r, z0 - 2), here[r] = at(r, z0 - 1), lower[r] = middle[r] = 0;
#pragma unroll unrolled
    for (int z = z0 - 1; z <= z0 + TZ; ++z) {
        float above[TY], upper[TY];
        __syncthreads();
#pragma unroll
        for (int r = 0; r < TY; ++r) first[r * BY + threadIdx.y][i] = here[r], above[r] = at(r, z + 1);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < TY; ++r) {
            const int j = r * BY + threadIdx.y;
            const int left = max(i - 1, 0), right = min(i + 1, BX - 1), back = max(j - 1, 0), front = min(j + 1, BY * TY - 1);
            upper[r] = 0.4f * here[r] + 0.1f * (first[j][left] + first[j][right] + first[back][i] + first[front][i] + below[r] + above[r]);
            second[j][i] = middle[r];
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < TY; ++r) {
            const int j = r * BY + threadIdx.y, y = y0 + j;
            if (z > z0 && i >= 2 && i < BX - 2 && j >= 2 && j < BY * TY - 2 && x < n && y < n)
                out[(z - 1) * area + y * n + x] =
                    0.4f * middle[r] + 0.1f * (second[j][i - 1] + second[j][i + 1] + second[j - 1][i] + second[j + 1][i] + lower[r] + upper[r]);
            lower[r] = middle[r], middle[r] = upper[r], below[r] = here[r], here[r] = above[r];
        }
    }
}

#elif defined(SPACE_star3d)  // a star of radius 2, planes one after the other in a queue of registers; TX columns a thread, side by side or apart
KERNEL __launch_bounds__(BX * BY) NAME(const float* __restrict__ in, float* __restrict__ out, int n) {
    constexpr int width = BX * TX + 4, height = BY + 4;
    __shared__ float plane[SHARED ? height : 1][SHARED ? width : 1];
    const int x0 = blockIdx.x * BX * TX, y0 = blockIdx.y * BY, z0 = blockIdx.z * TZ, y = y0 + threadIdx.y, area = n * n;
    const auto column = [&](int s) { return ADJACENT ? threadIdx.x * TX + s : s * BX + threadIdx.x; };
    const auto at = [&](int x, int row, int z) { return in[within(z, n) * area + within(row, n) * n + within(x, n)]; };
    float queue[TX][5];
#pragma unroll
    for (int s = 0; s < TX; ++s)
#pragma unroll
        for (int k = 0; k < 4; ++k) queue[s][k + 1] = at(x0 + column(s), y, z0 + k - 2);
#pragma unroll unrolled
    for (int z = z0; z < z0 + TZ; ++z) {
        if (SHARED) {
            __syncthreads();
            for (int j = threadIdx.y; j < height; j += BY)
                for (int i = threadIdx.x; i < width; i += BX) plane[SHARED ? j : 0][SHARED ? i : 0] = at(x0 + i - 2, y0 + j - 2, z);
            __syncthreads();
        }
#pragma unroll
        for (int s = 0; s < TX; ++s) {
            const int i = column(s), x = x0 + i;
            const auto level = [&](int dx, int dy) {
                return SHARED ? plane[SHARED ? threadIdx.y + 2 + dy : 0][SHARED ? i + 2 + dx : 0] : at(x + dx, y + dy, z);
            };
#pragma unroll
            for (int k = 0; k < 4; ++k) queue[s][k] = queue[s][k + 1];
            queue[s][4] = at(x, y, z + 2);
            float sum = 0.4f * queue[s][2] + 0.08f * (queue[s][1] + queue[s][3] + level(-1, 0) + level(1, 0) + level(0, -1) + level(0, 1));
            sum += 0.02f * (queue[s][0] + queue[s][4] + level(-2, 0) + level(2, 0) + level(0, -2) + level(0, 2));
            out[z * area + y * n + x] = sum;
        }
    }
}
#endif
