// Pipelines with the libraries that come with CUDA: wmma, cooperative groups, clusters, pipelines of asynchronous copies, named barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;

// product of half matrices by wmma, tiles of 64 x 64 in two stages of shared memory
extern "C" __global__ void __launch_bounds__(128) wmma_two_stages(const half* A, const half* B, float* C, int N, int K) {
    __shared__ half As[2][64][40], Bs[2][32][72];
    const int tid = threadIdx.x, warp = tid / 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) wmma::fill_fragment(acc[i][j], 0.0f);
    auto load = [&](int stage, int k) {
        for (int c = tid; c < 256; c += 128) __pipeline_memcpy_async(&As[stage][c / 4][c % 4 * 8], A + (size_t)(row + c / 4) * K + k + c % 4 * 8, 16);
        for (int c = tid; c < 256; c += 128) __pipeline_memcpy_async(&Bs[stage][c / 8][c % 8 * 8], B + (size_t)(k + c / 8) * N + col + c % 8 * 8, 16);
        __pipeline_commit();
    };
    load(0, 0);
    for (int k = 0, stage = 0; k < K; k += 32, stage ^= 1) {
        if (k + 32 < K) load(stage ^ 1, k + 32);
        else __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
            for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(a[i], &As[stage][warp / 2 * 32 + i * 16][kk], 40);
            for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(b[j], &Bs[stage][kk][warp % 2 * 32 + j * 16], 72);
            for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j)
        wmma::store_matrix_sync(C + (size_t)(row + warp / 2 * 32 + i * 16) * N + col + warp % 2 * 32 + j * 16, acc[i][j], N, wmma::mem_row_major);
}

// wmma straight from global memory, one tile for each warp
extern "C" __global__ void wmma_direct(const half* A, const half* B, half* C, int N, int K) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, tiles = N / 16, r = warp / tiles * 16, c = warp % tiles * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> acc;
    wmma::fill_fragment(acc, __float2half(0.f));
    for (int k = 0; k < K; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
        wmma::load_matrix_sync(a, A + (size_t)r * K + k, K);
        wmma::load_matrix_sync(b, B + (size_t)c * K + k, K);
        wmma::mma_sync(acc, a, b, acc);
    }
    wmma::store_matrix_sync(C + (size_t)r * N + c, acc, N, wmma::mem_row_major);
}

// four stages of asynchronous copies, each piece smoothed with its neighbours
extern "C" __global__ void __launch_bounds__(256) smooth_stages(const float* in, float* out, int pieces) {
    __shared__ float ring[4][1024];
    const int t = threadIdx.x;
    const float* mine = in + (size_t)blockIdx.x * pieces * 1024;
    for (int s = 0; s < 3; ++s) {
        if (s < pieces) __pipeline_memcpy_async(&ring[s][t * 4], mine + s * 1024 + t * 4, 16);
        __pipeline_commit();
    }
    for (int p = 0; p < pieces; ++p) {
        if (p + 3 < pieces) __pipeline_memcpy_async(&ring[(p + 3) & 3][t * 4], mine + (size_t)(p + 3) * 1024 + t * 4, 16);
        __pipeline_commit();
        __pipeline_wait_prior(3);
        __syncthreads();
        for (int k = t; k < 1024; k += 256) {
            const float* s = ring[p & 3];
            out[((size_t)blockIdx.x * pieces + p) * 1024 + k] = 0.25f * s[k ? k - 1 : 0] + 0.5f * s[k] + 0.25f * s[k < 1023 ? k + 1 : 1023];
        }
        __syncthreads();
    }
}

// producers and consumers meet at named barriers
extern "C" __global__ void __launch_bounds__(256) two_roles(const float4* in, float* out, int tiles) {
    __shared__ float4 buffer[2][256];
    const int t = threadIdx.x & 127;
    auto sync = [](int id) { asm volatile("bar.sync %0, 256;" ::"r"(id) : "memory"); };
    auto arrive = [](int id) { asm volatile("bar.arrive %0, 256;" ::"r"(id) : "memory"); };
    if (threadIdx.x < 128) {
        for (int k = 0; k < tiles; ++k) {
            const float4* from = in + ((size_t)blockIdx.x * tiles + k) * 256;
            const float4 a = from[t], b = from[t + 128];
            if (k >= 2) sync(3 + (k & 1));
            buffer[k & 1][t] = a;
            buffer[k & 1][t + 128] = b;
            arrive(1 + (k & 1));
        }
    } else {
        float sum = 0.f;
        for (int k = 0; k < tiles; ++k) {
            sync(1 + (k & 1));
            for (int e = 0; e < 8; ++e) {
                const float4 v = buffer[k & 1][(t * 7 + e * 32) & 255];
                sum += v.x * v.y + v.z * v.w;
            }
            if (k + 2 < tiles) arrive(3 + (k & 1));
        }
        out[blockIdx.x * 128 + t] = sum;
    }
}

// softmax of long rows: a cluster for each row, maxima and sums by shared memory of the others
template <int BLOCKS> __device__ void cluster_row(const float* x, float* y, int n) {
    __shared__ float share[2], warps[8];
    cg::cluster_group cluster = cg::this_cluster();
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    const int each = n / BLOCKS, rank = cluster.block_rank();
    const float* row = x + (size_t)(blockIdx.x / BLOCKS) * n + rank * each;
    float* to = y + (size_t)(blockIdx.x / BLOCKS) * n + rank * each;
    float most = -1e30f;
    for (int i = block.thread_rank(); i < each; i += 256) most = fmaxf(most, row[i]);
    most = cg::reduce(tile, most, cg::greater<float>());
    if (tile.thread_rank() == 0) warps[tile.meta_group_rank()] = most;
    block.sync();
    if (block.thread_rank() == 0) { float m = warps[0]; for (int w = 1; w < 8; ++w) m = fmaxf(m, warps[w]); share[0] = m; }
    cluster.sync();
    for (int r = 0; r < BLOCKS; ++r) most = fmaxf(most, *cluster.map_shared_rank(share, r));
    float sum = 0.f;
    for (int i = block.thread_rank(); i < each; i += 256) sum += __expf(row[i] - most);
    sum = cg::reduce(tile, sum, cg::plus<float>());
    block.sync();
    if (tile.thread_rank() == 0) warps[tile.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) { float s = 0; for (int w = 0; w < 8; ++w) s += warps[w]; share[1] = s; }
    cluster.sync();
    float all = 0.f;
    for (int r = 0; r < BLOCKS; ++r) all += *cluster.map_shared_rank(share + 1, r);
    for (int i = block.thread_rank(); i < each; i += 256) to[i] = __expf(row[i] - most) / all;
    cluster.sync();
}
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_softmax4(const float* x, float* y, int n) { cluster_row<4>(x, y, n); }
extern "C" __global__ void __cluster_dims__(8, 1, 1) cluster_softmax8(const float* x, float* y, int n) { cluster_row<8>(x, y, n); }

// a histogram whose bins are divided over the blocks of a cluster
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_counts(const unsigned* x, unsigned* count, int each) {
    __shared__ unsigned bins[512];
    cg::cluster_group cluster = cg::this_cluster();
    for (int b = threadIdx.x; b < 512; b += blockDim.x) bins[b] = 0;
    cluster.sync();
    for (int i = threadIdx.x; i < each; i += blockDim.x) {
        const unsigned v = x[(size_t)blockIdx.x * each + i] & 2047;
        atomicAdd(cluster.map_shared_rank(bins, v >> 9) + (v & 511), 1u);
    }
    cluster.sync();
    for (int b = threadIdx.x; b < 512; b += blockDim.x) atomicAdd(count + cluster.block_rank() * 512 + b, bins[b]);
}

// rows that the left neighbour in the cluster has loaded, in a ring
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_ring(const float* a, float* out, int rounds) {
    __shared__ float mine[2048];
    cg::cluster_group cluster = cg::this_cluster();
    const float* other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        for (int i = threadIdx.x; i < 2048; i += 256) mine[i] = a[((size_t)k * gridDim.x + blockIdx.x) * 2048 + i];
        cluster.sync();
        for (int i = threadIdx.x; i < 2048; i += 256) sum += mine[i] * other[2047 - i];
        cluster.sync();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// attention of one query over keys in pages
extern "C" __global__ void __launch_bounds__(128) paged_scores(const float* q, const half2* keys, const int* pages, const int* length, float* out, int most) {
    __shared__ float qs[64];
    const int s = blockIdx.x, head = blockIdx.y, n = length[s];
    if (threadIdx.x < 64) qs[threadIdx.x] = q[(s * gridDim.y + head) * 64 + threadIdx.x];
    __syncthreads();
    const int lane = threadIdx.x & 7;
    for (int k = threadIdx.x >> 3; k < n; k += 16) {
        const half2* key = keys + ((size_t)(pages[s * 128 + k / 16] * 16 + k % 16) * gridDim.y + head) * 32;
        float d = 0.f;
        for (int e = lane; e < 32; e += 8) {
            const float2 v = __half22float2(key[e]);
            d += v.x * qs[2 * e] + v.y * qs[2 * e + 1];
        }
        for (int o = 4; o; o >>= 1) d += __shfl_xor_sync(0xffffffffu, d, o, 8);
        if (lane == 0) out[((size_t)s * gridDim.y + head) * most + k] = d;
    }
}

// the two best of 64 experts for each token, a warp for each
extern "C" __global__ void two_best(const float* gate, int* expert, float* weight, int tokens) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int token = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = tile.thread_rank();
    if (token >= tokens) return;
    float a = gate[token * 64 + lane], b = gate[token * 64 + 32 + lane];
    for (int k = 0; k < 2; ++k) {
        float v = fmaxf(a, b);
        int at = a >= b ? lane : lane + 32;
        for (int o = 16; o; o >>= 1) {
            const float v2 = tile.shfl_xor(v, o);
            const int at2 = tile.shfl_xor(at, o);
            if (v2 > v || (v2 == v && at2 < at)) v = v2, at = at2;
        }
        if (at == lane) a = -1e30f;
        if (at == lane + 32) b = -1e30f;
        if (lane == 0) expert[token * 2 + k] = at, weight[token * 2 + k] = v;
    }
}
