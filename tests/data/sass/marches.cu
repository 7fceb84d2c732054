// Stencils that march through planes: `march` keeps planes in registers, and one in shared memory, `borders` does other work
// at the first and last plane.
extern "C" __global__ void march(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float plane[6][66];
    const int x0 = blockIdx.x * 64, y0 = blockIdx.y * 4, z0 = blockIdx.z * 16, area = n * n;
    const auto at = [&](int x, int y, int z) {
        return in[min(max(z, 0), n - 1) * area + min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1)];
    };
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    float below = at(x, y, z0 - 1), here = at(x, y, z0);
#pragma unroll 1
    for (int z = z0; z < z0 + 16; ++z) {
        __syncthreads();
#pragma unroll 1
        for (int j = threadIdx.y; j < 6; j += 4)
#pragma unroll 1
            for (int i = threadIdx.x; i < 66; i += 64) plane[j][i] = at(x0 + i - 1, y0 + j - 1, z);
        __syncthreads();
        const float above = at(x, y, z + 1);
        const float* p = &plane[threadIdx.y + 1][threadIdx.x + 1];
        out[z * area + y * n + x] = here + 0.1f * (p[-1] + p[1] + p[-66] + p[66] + below + above);
        below = here, here = above;
    }
}

extern "C" __global__ void borders(const float* __restrict__ in, float* __restrict__ out, int n) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z0 = (blockIdx.z * 2 + threadIdx.z) * 16, area = n * n;
    if (y == 0 || y == n - 1) return;
    float below = z0 ? in[(z0 - 1) * area + y * n + x] : 0.0f, here = in[z0 * area + y * n + x];
#pragma unroll 1
    for (int z = z0; z < z0 + 16; ++z) {
        const int at = z * area + y * n + x;
        if (x == 0 || x == n - 1 || z == 0 || z == n - 1) {
            if (z < n - 1) below = here, here = in[at + area];
            continue;
        }
        const float above = in[at + area];
        out[at] = here + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + below + above - 6.0f * here);
        below = here, here = above;
    }
}
