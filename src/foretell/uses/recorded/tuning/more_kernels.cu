// Further kernels with tuning parameters as macros; NAME is the kernel's name, one for each configuration. SPACE chooses the kernel.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#define KERNEL extern "C" __global__ void
#ifdef UNROLL
constexpr int unrolled = UNROLL;  // pragmas take constants, not macros
#endif

template <int count>
struct alignas(4 * count) Numbers {
    float of[count];
};

#if defined(SPACE_wave3d)  // a step of a wave equation: a star of radius 2, planes one after the other in a queue of registers
KERNEL __launch_bounds__(BX * BY) NAME(const float* __restrict__ now, float* __restrict__ next, int n) {
    constexpr int width = BX + 4, height = BY * TY + 4;
    __shared__ float plane[SHARED ? height : 1][SHARED ? width : 1];
    const int x0 = blockIdx.x * BX + 2, y0 = blockIdx.y * BY * TY + 2, z0 = blockIdx.z * TZ + 2;
    const int row = n + 4, area = row * row, x = x0 + threadIdx.x;
    float queue[TY][5];
#pragma unroll
    for (int r = 0; r < TY; ++r)
#pragma unroll
        for (int k = 0; k < 4; ++k) queue[r][k + 1] = now[(z0 + k - 2) * area + (y0 + r * BY + threadIdx.y) * row + x];
#pragma unroll unrolled
    for (int z = z0; z < z0 + TZ; ++z) {
        if (SHARED) {
            __syncthreads();
            for (int j = threadIdx.y; j < height; j += BY)
                for (int i = threadIdx.x; i < width; i += BX) plane[j][i] = now[z * area + (y0 - 2 + j) * row + x0 - 2 + i];
            __syncthreads();
        }
#pragma unroll
        for (int r = 0; r < TY; ++r) {
            const int j = r * BY + threadIdx.y, at = z * area + (y0 + j) * row + x;
            const auto level = [&](int dx, int dy) {
                return SHARED ? plane[SHARED ? j + 2 + dy : 0][SHARED ? threadIdx.x + 2 + dx : 0] : now[at + dy * row + dx];
            };
#pragma unroll
            for (int k = 0; k < 4; ++k) queue[r][k] = queue[r][k + 1];
            queue[r][4] = now[at + 2 * area];
            float sum = -7.5f * queue[r][2];
            sum += 1.3333f * (queue[r][1] + queue[r][3] + level(-1, 0) + level(1, 0) + level(0, -1) + level(0, 1));
            sum -= 0.0833f * (queue[r][0] + queue[r][4] + level(-2, 0) + level(2, 0) + level(0, -2) + level(0, 2));
            next[at] = 2 * queue[r][2] - next[at] + 0.1f * sum;
        }
    }
}

#elif defined(SPACE_softmax)  // softmax of rows of 4096 in two passes: tiles of ROWS x BLOCK numbers for WARPS warps, vectors of V
KERNEL __launch_bounds__(32 * WARPS) NAME(const float* __restrict__ in, float* __restrict__ out, int columns) {
    constexpr int threads = 32 * WARPS, across = BLOCK / V < threads ? BLOCK / V : threads, down = threads / across;
    constexpr int own = ROWS / down, wide = BLOCK / V / across, group = across < 32 ? across : 32, groups = across / group;
    __shared__ float partial[2][ROWS][groups];
    const int x = threadIdx.x % across, y = threadIdx.x / across;
    in += blockIdx.x * ROWS * columns, out += blockIdx.x * ROWS * columns;
    float highest[own], total[own];
#pragma unroll
    for (int r = 0; r < own; ++r) highest[r] = -1e30f, total[r] = 0;
    for (int k = 0; k < columns; k += BLOCK) {
        Numbers<V> values[own][wide];
#pragma unroll
        for (int r = 0; r < own; ++r)
#pragma unroll
            for (int c = 0; c < wide; ++c)
                values[r][c] = *reinterpret_cast<const Numbers<V>*>(in + (r * down + y) * columns + k + (c * across + x) * V);
#pragma unroll
        for (int r = 0; r < own; ++r) {
            float most = highest[r], sum = 0;
#pragma unroll
            for (int c = 0; c < wide; ++c)
#pragma unroll
                for (int v = 0; v < V; ++v) most = fmaxf(most, values[r][c].of[v]);
#pragma unroll
            for (int c = 0; c < wide; ++c)
#pragma unroll
                for (int v = 0; v < V; ++v) sum += __expf(values[r][c].of[v] - most);
            total[r] = total[r] * __expf(highest[r] - most) + sum;
            highest[r] = most;
        }
    }
#pragma unroll
    for (int r = 0; r < own; ++r) {
#pragma unroll
        for (int step = group / 2; step > 0; step /= 2) {
            const float most = fmaxf(highest[r], __shfl_xor_sync(~0u, highest[r], step));
            total[r] *= __expf(highest[r] - most), highest[r] = most;
            total[r] += __shfl_xor_sync(~0u, total[r], step);
        }
        if (groups > 1) {
            if (x % group == 0) partial[0][r * down + y][x / group] = highest[r], partial[1][r * down + y][x / group] = total[r];
            __syncthreads();
            float most = -1e30f, sum = 0;
            for (int g = 0; g < groups; ++g) most = fmaxf(most, partial[0][r * down + y][g]);
            for (int g = 0; g < groups; ++g) sum += partial[1][r * down + y][g] * __expf(partial[0][r * down + y][g] - most);
            highest[r] = most, total[r] = sum;
        }
        total[r] = 1 / total[r];
    }
    for (int k = 0; k < columns; k += BLOCK) {
#pragma unroll
        for (int r = 0; r < own; ++r)
#pragma unroll
            for (int c = 0; c < wide; ++c) {
                const int at = (r * down + y) * columns + k + (c * across + x) * V;
                Numbers<V> value = *reinterpret_cast<const Numbers<V>*>(in + at);
#pragma unroll
                for (int v = 0; v < V; ++v) value.of[v] = __expf(value.of[v] - highest[r]) * total[r];
                *reinterpret_cast<Numbers<V>*>(out + at) = value;
            }
    }
}

#elif defined(SPACE_hgemm)  // C = A B in half precision on tensor cores: WM x WN warps, STAGES tiles of BK copied asynchronously
using namespace nvcuda;
KERNEL __launch_bounds__(32 * WM * WN) NAME(const half* __restrict__ a, const half* __restrict__ b, half* __restrict__ c, int n, int depth) {
    constexpr int threads = 32 * WM * WN, ld_a = BK + PAD, ld_b = BN + PAD, own_m = BM / WM / 16, own_n = BN / WN / 16;
    __shared__ alignas(16) half left[STAGES][BM * ld_a];
    __shared__ alignas(16) half right[STAGES][BK * ld_b];
    const int t = threadIdx.x, warp = t / 32, wy = warp / WN, wx = warp % WN, across = n / BN, down = n / BM;
    const int first = blockIdx.x / (GROUP * across) * GROUP, high = min(down - first, GROUP), in = blockIdx.x % (GROUP * across);
    const int y0 = (first + in % high) * BM, x0 = in / high * BN;
    const auto copy = [&](int k, int stage) {
        for (int i = t; i < BM * BK / 8; i += threads) {
            const int row = i / (BK / 8), column = i % (BK / 8) * 8;
            __pipeline_memcpy_async(&left[stage][row * ld_a + column], a + (y0 + row) * depth + k + column, 16);
        }
        for (int i = t; i < BK * BN / 8; i += threads) {
            const int row = i / (BN / 8), column = i % (BN / 8) * 8;
            __pipeline_memcpy_async(&right[stage][row * ld_b + column], b + (k + row) * n + x0 + column, 16);
        }
        __pipeline_commit();
    };
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[own_m][own_n];
#pragma unroll
    for (int i = 0; i < own_m; ++i)
#pragma unroll
        for (int j = 0; j < own_n; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
    const int tiles = depth / BK;
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) copy(s * BK, s);
    for (int tile = 0; tile < tiles; ++tile) {
        const int ahead = tile + STAGES - 1;
        if (STAGES == 1) __syncthreads();
        if (ahead < tiles) copy(ahead * BK, ahead % STAGES);
        else __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        const half *l = left[tile % STAGES], *r = right[tile % STAGES];
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[own_m];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y[own_n];
#pragma unroll
            for (int i = 0; i < own_m; ++i) wmma::load_matrix_sync(x[i], l + (wy * own_m + i) * 16 * ld_a + k, ld_a);
#pragma unroll
            for (int j = 0; j < own_n; ++j) wmma::load_matrix_sync(y[j], r + k * ld_b + (wx * own_n + j) * 16, ld_b);
#pragma unroll
            for (int i = 0; i < own_m; ++i)
#pragma unroll
                for (int j = 0; j < own_n; ++j) wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < own_m; ++i)
#pragma unroll
        for (int j = 0; j < own_n; ++j) {
            wmma::fragment<wmma::accumulator, 16, 16, 16, half> result;
#pragma unroll
            for (int e = 0; e < result.num_elements; ++e) result.x[e] = __float2half(sum[i][j].x[e]);
            wmma::store_matrix_sync(c + (y0 + (wy * own_m + i) * 16) * n + x0 + (wx * own_n + j) * 16, result, n, wmma::mem_row_major);
        }
}

#elif defined(SPACE_scan_rows)  // running sums of tiles: vectors of V, ITEMS of them a thread; AHEAD: the next tile is loaded before
KERNEL __launch_bounds__(BLOCK) NAME(const float* __restrict__ in, float* __restrict__ out) {
    constexpr int warps = BLOCK / 32, size = BLOCK * V * ITEMS;
    __shared__ float sums[2][warps];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const float* from = in + blockIdx.x * TILES * size + warp * 32 * V * ITEMS + lane * V;
    float* to = out + (from - in);
    float before = 0;
    Numbers<V> next[ITEMS];
    const auto load = [&](int k) {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) next[i] = *reinterpret_cast<const Numbers<V>*>(from + k * size + i * 32 * V);
    };
    if (AHEAD) load(0);
    for (int k = 0; k < TILES; ++k) {
        Numbers<V> x[ITEMS];
        if (!AHEAD) load(k);
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) x[i] = next[i];
        if (AHEAD && k + 1 < TILES) load(k + 1);
        float base = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
#pragma unroll
            for (int v = 1; v < V; ++v) x[i].of[v] += x[i].of[v - 1];
            float sum = x[i].of[V - 1];
#pragma unroll
            for (int step = 1; step < 32; step *= 2) {
                const float other = __shfl_up_sync(~0u, sum, step);
                if (lane >= step) sum += other;
            }
            const float left = base + sum - x[i].of[V - 1];
#pragma unroll
            for (int v = 0; v < V; ++v) x[i].of[v] += left;
            base += __shfl_sync(~0u, sum, 31);
        }
        if (lane == 31) sums[k % 2][warp] = base;
        __syncthreads();
        float left = before, all = 0;
#if SERIAL
        for (int w = 0; w < warps; ++w) {
            if (w == warp) left += all;
            all += sums[k % 2][w];
        }
#else
        float mine = lane < warps ? sums[k % 2][lane] : 0.0f;
        all = mine;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const float other = __shfl_up_sync(~0u, all, step);
            if (lane >= step) all += other;
        }
        left += __shfl_sync(~0u, all - mine, warp);
        all = __shfl_sync(~0u, all, 31);
#endif
        before += all;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
#pragma unroll
            for (int v = 0; v < V; ++v) x[i].of[v] += left;
            *reinterpret_cast<Numbers<V>*>(to + k * size + i * 32 * V) = x[i];
        }
    }
}
#endif
