// Loops of loads, barriers and chains that differ in one thing each. Names say what differs.
#include "../kernels/common.cuh"

// Loads that hit L1 beside arithmetic: `one` loads of one word for the warp, `row` of a line, `arithmetic` products.
template <int one, int row, int arithmetic>
__device__ void hits(const float* in, float* out, int rounds) {
    const float* mine = in + threadIdx.x;
    float sum[8] = {};
    int at = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            float v = 1;
#pragma unroll
            for (int i = 0; i < one; ++i) v += in[at + j * 8 + i];
#pragma unroll
            for (int i = 0; i < row; ++i) v += mine[at + j * 32 + 1024 * i];
#pragma unroll
            for (int i = 0; i < arithmetic; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sum[(j + i) & 7]) : "f"(v));
        }
        at = (at + 32) & 255;
    }
    float all = 0;
    for (int j = 0; j < 8; ++j) all += sum[j];
    out[global_x()] = all;
}
#define HITS(one, row, arithmetic) \
    KERNEL l_hits_##one##_##row##_##arithmetic(const float* in, float* out, int rounds) { hits<one, row, arithmetic>(in, out, rounds); }
HITS(1, 0, 1) HITS(1, 0, 4) HITS(4, 0, 4) HITS(0, 1, 1) HITS(0, 1, 4) HITS(0, 4, 4) HITS(1, 1, 2) HITS(4, 1, 4) HITS(1, 4, 4)

// The same, and one load in `every` is of a line that L2 has.
template <int loads>
__device__ void some_miss(const float* in, const float* far, float* out, int rounds) {
    const float *mine = in + threadIdx.x, *other = far + (blockIdx.x % 132 * rounds * 8 + (threadIdx.x / 32 + blockIdx.x / 132 * 3) % 8) * 32 + threadIdx.x % 32;
    float sum[4] = {};
    int at = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        float v = *other;
        other += 256;
#pragma unroll
        for (int i = 0; i < loads; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sum[i & 3]) : "f"(mine[at + 32 * i]));
        at = (at + 32) & 255;
        sum[0] += v;
    }
    out[global_x()] = sum[0] + sum[1] + sum[2] + sum[3];
}
KERNEL l_miss_0(const float* in, const float* far, float* out, int rounds) { some_miss<0>(in, far, out, rounds); }
KERNEL l_miss_2(const float* in, const float* far, float* out, int rounds) { some_miss<2>(in, far, out, rounds); }
KERNEL l_miss_6(const float* in, const float* far, float* out, int rounds) { some_miss<6>(in, far, out, rounds); }
KERNEL l_miss_14(const float* in, const float* far, float* out, int rounds) { some_miss<14>(in, far, out, rounds); }

// Requests of shared memory between two barriers, of the block or of its halves.
template <int requests, bool halves>
__device__ void steps(float* out, int rounds) {
    __shared__ float s[2048];
    const int t = threadIdx.x, half = t >= blockDim.x / 2, count = blockDim.x / 2;
    float v = t;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        if (requests > 0) s[t] = v;
        if (halves) asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "r"(count) : "memory");
        else __syncthreads();
#pragma unroll
        for (int i = 1; i < requests; ++i) v += s[t + 32 * i];
        v = v * 0.5f + 1.0f;
        if (halves) asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "r"(count) : "memory");
        else __syncthreads();
    }
    out[global_x()] = v;
}
#define STEPS(requests) \
    KERNEL l_steps_##requests(float* out, int rounds) { steps<requests, false>(out, rounds); } \
    KERNEL l_halves_##requests(float* out, int rounds) { steps<requests, true>(out, rounds); }
STEPS(0) STEPS(2) STEPS(4) STEPS(8)

// A reduction in shared memory, as most programs have it: fewer and fewer threads between barriers.
KERNEL l_tree(float* out, int rounds) {
    __shared__ float s[1024];
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        s[threadIdx.x] = v;
        __syncthreads();
        for (int step = blockDim.x / 2; step > 0; step >>= 1) {
            if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
            __syncthreads();
        }
        v += s[0];
        __syncthreads();
    }
    out[global_x()] = v;
}

// A warp sums rows: columns, gathered values, shuffles, in the manner of sparse products; every row has `length` entries.
KERNEL l_rows(const int* column, const float* x, float* y, int rows, int length) {
    const int lane = threadIdx.x & 31;
    for (int row = global_x() / 32; row < rows; row += gridDim.x * blockDim.x / 32) {
        float sum = 0;
        for (int k = row * length + lane; k < (row + 1) * length; k += 32) sum += x[column[k]];
        for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
        if (lane == 0) y[row] = sum;
    }
}
// The same without the gather.
KERNEL l_rows_near(const int* column, float* y, int rows, int length) {
    const int lane = threadIdx.x & 31;
    for (int row = global_x() / 32; row < rows; row += gridDim.x * blockDim.x / 32) {
        float sum = 0;
        for (int k = row * length + lane; k < (row + 1) * length; k += 32) sum += column[k];
        for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
        if (lane == 0) y[row] = sum;
    }
}
// Seven points in three dimensions: a thread for each point, or marching through planes; n points a side.
KERNEL l_seven(const float* in, float* out, int n) {
    const int x = global_x(), y = global_y(), z = global_z();
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const int i = (z * n + y) * n + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}
KERNEL l_seven_march(const float* in, float* out, int n, int planes) {
    const int x = global_x(), y = global_y(), first = blockIdx.z * planes + 1, last = min(first + planes, n - 1);
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    int i = (first * n + y) * n + x;
    float below = in[i - n * n], here = in[i];
    for (int z = first; z < last; ++z, i += n * n) {
        const float above = in[i + n * n];
        out[i] = 0.4f * here + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above);
        below = here;
        here = above;
    }
}
