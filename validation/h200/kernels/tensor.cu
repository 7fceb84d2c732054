// Matrix products on tensor cores, half precision into single, a warp for each 16 by 16 or 32 by 32 results.
#include <cuda_fp16.h>
#include <mma.h>

#include "common.cuh"

using namespace nvcuda;
using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

KERNEL wmma_global(const __half* a, const __half* b, float* c, int n) {  // blocks of 4 warps side by side
    const int x = (blockIdx.x * 4 + threadIdx.x / 32) * 16, y = blockIdx.y * 16;
    Left left;
    Right right;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(left, a + y * n + k, n);
        wmma::load_matrix_sync(right, b + k * n + x, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + y * n + x, sum, n, wmma::mem_row_major);
}

// 128 by 128 results a block of 8 warps, 32 by 64 a warp; 32 columns of A and rows of B in shared memory at a time.
KERNEL wmma_shared(const __half* a, const __half* b, float* c, int n) {
    constexpr int edge = 128, step = 32, pad = 8;
    __shared__ __align__(16) __half left[edge][step + pad];
    __shared__ __align__(16) __half right[step][edge + pad];
    const int warp = threadIdx.x / 32, wy = warp / 2 * 32, wx = warp % 2 * 64, x0 = blockIdx.x * edge, y0 = blockIdx.y * edge;
    Sum sum[2][4];
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 4; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
    for (int k = 0; k < n; k += step) {
        for (int e = threadIdx.x; e < edge * step / 8; e += 256) {
            const int ly = e / 4, lx = e % 4 * 8, ry = e / 16, rx = e % 16 * 8;
            *reinterpret_cast<uint4*>(&left[ly][lx]) = *reinterpret_cast<const uint4*>(&a[(y0 + ly) * n + k + lx]);
            *reinterpret_cast<uint4*>(&right[ry][rx]) = *reinterpret_cast<const uint4*>(&b[(k + ry) * n + x0 + rx]);
        }
        __syncthreads();
        for (int j = 0; j < step; j += 16) {
            Left u[2];
            Right v[4];
            for (int p = 0; p < 2; ++p) wmma::load_matrix_sync(u[p], &left[wy + 16 * p][j], step + pad);
            for (int q = 0; q < 4; ++q) wmma::load_matrix_sync(v[q], &right[j][wx + 16 * q], edge + pad);
            for (int p = 0; p < 2; ++p)
                for (int q = 0; q < 4; ++q) wmma::mma_sync(sum[p][q], u[p], v[q], sum[p][q]);
        }
        __syncthreads();
    }
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 4; ++q)
            wmma::store_matrix_sync(c + (y0 + wy + 16 * p) * n + x0 + wx + 16 * q, sum[p][q], n, wmma::mem_row_major);
}

// Tensor cores alone: registers only.
KERNEL wmma_peak(const __half* a, float* c, int rounds) {
    Left left;
    Right right;
    Sum sum[4];
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a + 256, 16);
    for (int q = 0; q < 4; ++q) wmma::fill_fragment(sum[q], static_cast<float>(q));
    for (int r = 0; r < rounds; ++r)
        for (int q = 0; q < 4; ++q) wmma::mma_sync(sum[q], left, right, sum[q]);
    for (int q = 1; q < 4; ++q)
        for (int e = 0; e < sum[0].num_elements; ++e) sum[0].x[e] += sum[q].x[e];
    wmma::store_matrix_sync(c + global_x() / 32 * 256, sum[0], 16, wmma::mem_row_major);
}
