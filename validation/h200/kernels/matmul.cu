// Matrix products C = A B of square matrices, from one dot product a thread to register tiles.
#include "common.cuh"

// As in the first figure of the paper: rows and columns to threads, blocks of one dimension.
KERNEL matmul_naive(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y;
    if (x >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// The second figure: a thread makes `rows` results of one column, so that a value of B serves all of them.
template <int rows>
__device__ void coarsened(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y * rows;
    float sum[rows] = {};
    for (int k = 0; k < n; ++k) {
        const float right = b[k * n + x];
        for (int r = 0; r < rows; ++r) sum[r] += a[(y + r) * n + k] * right;
    }
    for (int r = 0; r < rows; ++r) c[(y + r) * n + x] = sum[r];
}

KERNEL matmul_coarse_1(const float* a, const float* b, float* c, int n) { coarsened<1>(a, b, c, n); }
KERNEL matmul_coarse_2(const float* a, const float* b, float* c, int n) { coarsened<2>(a, b, c, n); }
KERNEL matmul_coarse_4(const float* a, const float* b, float* c, int n) { coarsened<4>(a, b, c, n); }
KERNEL matmul_coarse_8(const float* a, const float* b, float* c, int n) { coarsened<8>(a, b, c, n); }

template <int tile, class T>
__device__ void tiled(const T* a, const T* b, T* c, int n) {
    __shared__ T left[tile][tile], right[tile][tile];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
    T sum = 0;
    for (int k = 0; k < n; k += tile) {
        left[ty][tx] = a[y * n + k + tx];
        right[ty][tx] = b[(k + ty) * n + x];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < tile; ++j) sum += left[ty][j] * right[j][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

KERNEL matmul_tiled_8(const float* a, const float* b, float* c, int n) { tiled<8>(a, b, c, n); }
KERNEL matmul_tiled_16(const float* a, const float* b, float* c, int n) { tiled<16>(a, b, c, n); }
KERNEL matmul_tiled_32(const float* a, const float* b, float* c, int n) { tiled<32>(a, b, c, n); }
KERNEL matmul_f64(const double* a, const double* b, double* c, int n) { tiled<16>(a, b, c, n); }

// 64 by 64 results a block of 256 threads, 4 by 4 a thread, in steps of 16.
KERNEL matmul_registers(const float* a, const float* b, float* c, int n) {
    constexpr int edge = 64, step = 16, part = 4;
    __shared__ float left[step][edge], right[step][edge];
    const int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
    const int x0 = blockIdx.x * edge, y0 = blockIdx.y * edge;
    float sum[part][part] = {};
    for (int k = 0; k < n; k += step) {
        for (int e = thread; e < edge * step; e += 256) {
            left[e % step][e / step] = a[(y0 + e / step) * n + k + e % step];
            right[e / edge][e % edge] = b[(k + e / edge) * n + x0 + e % edge];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < step; ++j) {
            float u[part], v[part];
            for (int p = 0; p < part; ++p) u[p] = left[j][ty * part + p], v[p] = right[j][tx * part + p];
            for (int p = 0; p < part; ++p)
                for (int q = 0; q < part; ++q) sum[p][q] += u[p] * v[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < part; ++p)
        for (int q = 0; q < part; ++q) c[(y0 + ty * part + p) * n + x0 + tx * part + q] = sum[p][q];
}

// y = A x, a warp for each row
KERNEL matvec_warp(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = lane; k < columns; k += 32) sum += a[static_cast<long long>(row) * columns + k] * x[k];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}

// y = A x, a thread for each row: neighbours read different rows
KERNEL matvec_thread(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += a[static_cast<long long>(row) * columns + k] * x[k];
    y[row] = sum;
}
