// Work on grids and images: neighbours in registers, in shared memory and from the caches.
#include "../kernels/common.cuh"

KERNEL five_point_rotate(const double* old, double* next, int width, int height) {  // a thread goes down 16 rows
    const int x = global_x() + 1, top = blockIdx.y * 16 + 1;
    if (x >= width - 1) return;
    double above = old[(top - 1) * width + x], here = old[top * width + x];
#pragma unroll 4
    for (int y = top; y < top + 16 && y < height - 1; ++y) {
        const double below = old[(y + 1) * width + x];
        next[y * width + x] = 0.25 * (above + below + old[y * width + x - 1] + old[y * width + x + 1]) - 0.05 * here;
        above = here;
        here = below;
    }
}

KERNEL nine_point_pairs(const float2* old, float2* next, int pairs, int height) {  // two points a thread
    const int x = global_x() + 1, y = global_y() + 1;
    if (x >= pairs - 1 || y >= height - 1) return;
    float left = 0, right = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy) {
        const float2 before = old[(y + dy) * pairs + x - 1], here = old[(y + dy) * pairs + x], after = old[(y + dy) * pairs + x + 1];
        const float weight = dy == 0 ? 0.2f : 0.1f;
        left += weight * (before.y + here.x + here.y);
        right += weight * (here.x + here.y + after.x);
    }
    next[y * pairs + x] = make_float2(left, right);
}

KERNEL box27_planes(const float* old, float* next, int n) {  // blocks of 32 × 8 go through z; sums of three planes rotate
    __shared__ float plane[10][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const auto sum_of = [&](int z) {
        __syncthreads();
        for (int k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256) {
            const int px = min(max(static_cast<int>(blockIdx.x * 32) + k % 34 - 1, 0), n - 1);
            const int py = min(max(static_cast<int>(blockIdx.y * 8) + k / 34 - 1, 0), n - 1);
            plane[k / 34][k % 34] = old[(z * n + py) * n + px];
        }
        __syncthreads();
        float sum = 0;
#pragma unroll
        for (int dy = 0; dy < 3; ++dy)
#pragma unroll
            for (int dx = 0; dx < 3; ++dx) sum += plane[threadIdx.y + dy][threadIdx.x + dx];
        return sum;
    };
    float below = sum_of(0), here = sum_of(1);
    for (int z = 1; z < n - 1; ++z) {
        const float above = sum_of(z + 1);
        next[(z * n + y) * n + x] = (below + here + above) * (1.0f / 27);
        below = here;
        here = above;
    }
}

__constant__ float taps[17] = {0.01f, 0.02f, 0.03f, 0.04f, 0.06f, 0.07f, 0.09f, 0.11f, 0.14f, 0.11f, 0.09f, 0.07f, 0.06f, 0.04f, 0.03f, 0.02f, 0.01f};

KERNEL blur_rows(const float* in, float* out, int width) {  // blocks of 256 along a row, 17 taps
    __shared__ float line[272];
    const int x = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y * width;
    line[threadIdx.x + 8] = in[row + x];
    if (threadIdx.x < 8) line[threadIdx.x] = in[row + max(x - 8, 0)];
    if (threadIdx.x >= 248) line[threadIdx.x + 16] = in[row + min(x + 8, width - 1)];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 17; ++k) sum += taps[k] * line[threadIdx.x + k];
    out[row + x] = sum;
}

KERNEL blur_columns(const float* in, float* out, int width, int height) {  // 17 taps, eight results a thread
    const int x = global_x(), top = blockIdx.y * 8;
    float window[24];
#pragma unroll
    for (int k = 0; k < 24; ++k) window[k] = in[min(max(top + k - 8, 0), height - 1) * width + x];
#pragma unroll
    for (int result = 0; result < 8; ++result) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 17; ++k) sum += taps[k] * window[result + k];
        out[(top + result) * width + x] = sum;
    }
}

KERNEL bilateral(const float* in, float* out, int width, int height, float range) {  // 7 × 7
    const int x = global_x(), y = global_y();
    if (x >= width || y >= height) return;
    const float here = in[y * width + x];
    float sum = 0, weights = 0;
    for (int dy = -3; dy <= 3; ++dy)
#pragma unroll
        for (int dx = -3; dx <= 3; ++dx) {
            const float other = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
            const float apart = other - here;
            const float weight = __expf(-(dx * dx + dy * dy) * 0.1f - apart * apart * range);
            sum += weight * other;
            weights += weight;
        }
    out[y * width + x] = sum / weights;
}

KERNEL jacobi_block(const float* old, float* next, int width, int sweeps) {  // blocks of 32 × 32 keep their tile for several sweeps
    __shared__ float tile[2][34][34];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const int at = (blockIdx.y * 32 + y) * width + blockIdx.x * 32 + x;
    tile[0][y][x] = old[at];
    if (threadIdx.x == 0) tile[0][y][0] = tile[1][y][0] = old[at - 1];
    if (threadIdx.x == 31) tile[0][y][33] = tile[1][y][33] = old[at + 1];
    if (threadIdx.y == 0) tile[0][0][x] = tile[1][0][x] = old[at - width];
    if (threadIdx.y == 31) tile[0][33][x] = tile[1][33][x] = old[at + width];
    __syncthreads();
    int now = 0;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        tile[1 - now][y][x] = 0.25f * (tile[now][y - 1][x] + tile[now][y + 1][x] + tile[now][y][x - 1] + tile[now][y][x + 1]);
        now = 1 - now;
        __syncthreads();
    }
    next[at] = tile[now][y][x];
}

KERNEL lattice_d2q9(const float* from, float* to, int width, int height, float omega) {  // nine arrays, pulled
    const int x = global_x(), y = global_y(), size = width * height;
    if (x >= width || y >= height) return;
    constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr float weight[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const int px = (x - cx[k] + width) % width, py = (y - cy[k] + height) % height;
        f[k] = from[k * size + py * width + px];
        density += f[k];
        ux += f[k] * cx[k];
        uy += f[k] * cy[k];
    }
    ux /= density;
    uy /= density;
    const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const float along = 3.0f * (cx[k] * ux + cy[k] * uy);
        const float still = weight[k] * density * (1.0f + along + 0.5f * along * along - square);
        to[k * size + y * width + x] = f[k] + omega * (still - f[k]);
    }
}

KERNEL life_bits(const unsigned* old, unsigned* next, int words, int height) {  // 32 cells a word
    const int x = global_x(), y = global_y();
    if (x >= words || y >= height) return;
    unsigned sum0 = 0, sum1 = 0, sum2 = 0, here = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy) {
        const int row = ((y + dy + height) % height) * words;
        const unsigned middle = old[row + x], left = old[row + (x + words - 1) % words], right = old[row + (x + 1) % words];
        const unsigned sides[3] = {__funnelshift_l(left, middle, 1), middle, __funnelshift_r(middle, right, 1)};
        if (dy == 0) here = middle;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            if (dy == 0 && k == 1) continue;
            const unsigned carry = sum0 & sides[k], carry2 = sum1 & carry;
            sum0 ^= sides[k];
            sum1 ^= carry;
            sum2 |= carry2;
        }
    }
    next[y * words + x] = sum1 & ~sum2 & (sum0 | here);
}
