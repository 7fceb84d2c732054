// Products of tensor cores, rings of copies, and clusters that share, as layers of networks have them.
#include <cuda.h>

#include "../tensor/tensor.cuh"

using L = unsigned long long;
#define SHARED(code, ...) asm volatile(code ::__VA_ARGS__ : "memory")
__device__ inline void await(U barrier, int parity) {
    U done;
    do asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],%2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
    while (!done);
}
__device__ inline void begin(U barrier, U count) { SHARED("mbarrier.init.shared.b64 [%0],%1;", "r"(barrier), "r"(count)); }
__device__ inline void expect(U barrier, U bytes) { SHARED("mbarrier.arrive.expect_tx.shared.b64 _,[%0],%1;", "r"(barrier), "r"(bytes)); }
__device__ inline void arrive(U barrier) { SHARED("mbarrier.arrive.shared.b64 _,[%0];", "r"(barrier)); }
__device__ inline void bulk(U to, const void* from, U bytes, U barrier) {
    SHARED("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];", "r"(to), "l"(from), "r"(bytes), "r"(barrier));
}
__device__ inline void tile(U to, const CUtensorMap* map, int x, int y, U barrier) {
    SHARED("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1,{%3,%4}],[%2];", "r"(to), "l"(map), "r"(barrier), "r"(x), "r"(y));
}
__device__ inline U rank_in_cluster() { U r; asm volatile("mov.u32 %0,%%cluster_ctarank;" : "=r"(r)); return r; }
__device__ inline void meet() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }
__device__ inline U of_block(const void* p, U rank) {
    U r;
    asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(r) : "r"(at(p)), "r"(rank));
    return r;
}
__device__ inline float there(U p) { float x; asm volatile("ld.shared::cluster.f32 %0,[%1];" : "=f"(x) : "r"(p) : "memory"); return x; }

// ---- c = a bᵀ + bias, 128 by 128 by 32, eight warps of 64 by 32, three stages; rows of 32 numbers, 40 apart
KERNEL __launch_bounds__(256) l_linear_bias(const __half* a, const __half* b, const __half* bias, __half* c, int n, int depth) {
    extern __shared__ __align__(128) __half stages[];  // three times 256 rows of 40
    const int t = threadIdx.x, l = t % 32, w = t / 32, y = w / 4 * 64, x = w % 4 * 32;
    float d[4][4][4] = {};
    const auto fetch = [&](int k) {
        for (int e = t; k < depth && e < 1024; e += 256) {
            const int r = e / 4, q = e % 4;
            copy(at(stages + (k / 32 % 3 * 256 + r) * 40 + q * 8), (r < 128 ? a + (blockIdx.y * 128 + r) * depth : b + (blockIdx.x * 128 + r - 128) * depth) + k + q * 8);
        }
        commit();
    };
    fetch(0);
    fetch(32);
    for (int k = 0; k < depth; k += 32) {
        arrived<1>();
        __syncthreads();
        fetch(k + 64);
        const __half* s = stages + k / 32 % 3 * 256 * 40;
        for (int j = 0; j < 2; ++j) {
            U u[4][4], v[2][4];
            for (int i = 0; i < 4; ++i) load4(u[i], at(s + (y + i * 16 + l % 16) * 40 + j * 16 + l / 16 * 8));
            for (int i = 0; i < 2; ++i) load4(v[i], at(s + (128 + x + i * 16 + l % 8 + l / 16 * 8) * 40 + j * 16 + l / 8 % 2 * 8));
            for (int i = 0; i < 4; ++i)
                for (int q = 0; q < 4; ++q) mma(d[i][q], u[i], v[q / 2][q % 2 * 2], v[q / 2][q % 2 * 2 + 1]);
        }
    }
    for (int i = 0; i < 4; ++i)
        for (int q = 0; q < 4; ++q)
            for (int h = 0; h < 2; ++h) {
                const int row = blockIdx.y * 128 + y + i * 16 + l / 4 + h * 8, column = blockIdx.x * 128 + x + q * 8 + l % 4 * 2;
                const __half2 add = *reinterpret_cast<const __half2*>(bias + column);
                *reinterpret_cast<__half2*>(c + static_cast<L>(row) * n + column) = __hadd2(__floats2half2_rn(d[i][q][2 * h], d[i][q][2 * h + 1]), add);
            }
}

// ---- many small products of 64 by 64 by 64, a block each, loaded by threads
KERNEL __launch_bounds__(128) l_batched_64(const __half* a, const __half* b, float* c) {
    __shared__ __align__(128) __half left[64][72], right[64][72];
    const int t = threadIdx.x, l = t % 32, w = t / 32;
    const L first = static_cast<L>(blockIdx.x) * 4096;
    for (int e = t; e < 512; e += 128) {
        *reinterpret_cast<uint4*>(&left[e / 8][e % 8 * 8]) = *reinterpret_cast<const uint4*>(a + first + e * 8);
        *reinterpret_cast<uint4*>(&right[e / 8][e % 8 * 8]) = *reinterpret_cast<const uint4*>(b + first + e * 8);
    }
    __syncthreads();
    float d[8][4] = {};
    for (int j = 0; j < 4; ++j) {
        U u[4], v[4];
        load4(u, at(&left[w * 16 + l % 16][j * 16 + l / 16 * 8]));
        for (int i = 0; i < 4; ++i) {
            load4(v, at(&right[i * 16 + l % 8 + l / 16 * 8][j * 16 + l / 8 % 2 * 8]));
            mma(d[2 * i], u, v[0], v[1]);
            mma(d[2 * i + 1], u, v[2], v[3]);
        }
    }
    for (int i = 0; i < 8; ++i)
        for (int h = 0; h < 2; ++h)
            *reinterpret_cast<float2*>(c + first + (w * 16 + l / 4 + h * 8) * 64 + i * 8 + l % 4 * 2) = make_float2(d[i][2 * h], d[i][2 * h + 1]);
}

// ---- experts: tokens in order of their expert, ragged; tiles of 64 tokens by 64 results
KERNEL __launch_bounds__(128) l_experts(const __half* x, const __half* weight, const int* __restrict__ first, float* out, int depth, int width) {
    __shared__ __align__(128) __half left[2][64][40], right[2][64][40];
    const int expert = blockIdx.z, from = first[expert], count = first[expert + 1] - from;
    if (static_cast<int>(blockIdx.y) * 64 >= count) return;
    const int t = threadIdx.x, l = t % 32, w = t / 32;
    const auto fetch = [&](int k) {
        for (int e = t; k < depth && e < 512; e += 128) {
            const int r = e / 4 % 64, q = e % 4, row = from + min(count - 1, static_cast<int>(blockIdx.y) * 64 + r);
            if (e < 256) copy(at(&left[k / 32 % 2][r][q * 8]), x + static_cast<L>(row) * depth + k + q * 8);
            else copy(at(&right[k / 32 % 2][r][q * 8]), weight + (static_cast<L>(expert) * width + blockIdx.x * 64 + r) * depth + k + q * 8);
        }
        commit();
    };
    float d[8][4] = {};
    fetch(0);
    for (int k = 0; k < depth; k += 32) {
        fetch(k + 32);
        arrived<1>();
        __syncthreads();
        for (int j = 0; j < 2; ++j) {
            U u[4], v[4];
            load4(u, at(&left[k / 32 % 2][w * 16 + l % 16][j * 16 + l / 16 * 8]));
            for (int i = 0; i < 4; ++i) {
                load4(v, at(&right[k / 32 % 2][i * 16 + l % 8 + l / 16 * 8][j * 16 + l / 8 % 2 * 8]));
                mma(d[2 * i], u, v[0], v[1]);
                mma(d[2 * i + 1], u, v[2], v[3]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int h = 0; h < 2; ++h) {
            const int row = blockIdx.y * 64 + w * 16 + l / 4 + h * 8;
            if (row < count) *reinterpret_cast<float2*>(out + static_cast<L>(from + row) * width + blockIdx.x * 64 + i * 8 + l % 4 * 2) = make_float2(d[i][2 * h], d[i][2 * h + 1]);
        }
}

// ---- bytes: products of m16n8k32, operands straight from memory
KERNEL __launch_bounds__(128) l_bytes_product(const uint4* a, const uint4* b, int4* c, int steps) {
    int d[4][4] = {};
    const L row = static_cast<L>(blockIdx.y * 4 + threadIdx.x / 32) * steps, column = static_cast<L>(blockIdx.x) * 2 * steps;
    for (int k = 0; k < steps; ++k) {
        const uint4 u = a[(row + k) * 32 + threadIdx.x % 32];
        for (int h = 0; h < 2; ++h) {
            const uint4 v = b[(column + h * steps + k) * 32 + threadIdx.x % 32];
            const U of[4] = {v.x, v.y, v.z, v.w};
            for (int i = 0; i < 2; ++i) {
                int(&e)[4] = d[h * 2 + i];
                asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                             : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3]) : "r"(u.x), "r"(u.y), "r"(u.z), "r"(u.w), "r"(of[2 * i]), "r"(of[2 * i + 1]));
            }
        }
    }
    for (int q = 0; q < 4; ++q) c[((blockIdx.y * 4 + threadIdx.x / 32) * gridDim.x + blockIdx.x) * 128 + q * 32 + threadIdx.x % 32] = make_int4(d[q][0], d[q][1], d[q][2], d[q][3]);
}

// ---- a ring of bulk copies in, results out in bulk: y = s x + y
KERNEL __launch_bounds__(160) l_ring_axpy(const float* x, float* y, float s, int pieces) {
    extern __shared__ __align__(128) float ring[];  // four times two pieces of 1024
    __shared__ L full[4], empty[4];
    const int t = threadIdx.x;
    if (t < 4) {
        begin(at(full + t), 1);
        begin(at(empty + t), 128);
    }
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    const L mine = static_cast<L>(blockIdx.x) * pieces * 1024;
    if (t >= 128) {
        for (int k = 0; t == 128 && k < pieces; ++k) {
            if (k >= 4) await(at(empty + k % 4), k / 4 - 1 & 1);
            expect(at(full + k % 4), 8192);
            bulk(at(ring + k % 4 * 2048), x + mine + k * 1024, 4096, at(full + k % 4));
            bulk(at(ring + k % 4 * 2048 + 1024), y + mine + k * 1024, 4096, at(full + k % 4));
        }
        return;
    }
    for (int k = 0; k < pieces; ++k) {
        await(at(full + k % 4), k / 4 & 1);
        for (int e = t; e < 1024; e += 128) y[mine + k * 1024 + e] = s * ring[k % 4 * 2048 + e] + ring[k % 4 * 2048 + 1024 + e];
        arrive(at(empty + k % 4));
    }
}

// ---- tiles of a picture by tensor maps, smoothed by five points, two stages
KERNEL __launch_bounds__(256) l_map_smooth(const __grid_constant__ CUtensorMap map, float* out, int width, int tiles) {
    extern __shared__ __align__(1024) float pieces[];
    __shared__ L full[2];
    const int t = threadIdx.x;
    const auto fetch = [&](int k) {
        if (t != 0 || k >= tiles) return;
        expect(at(full + k % 2), 8192);
        tile(at(pieces + k % 2 * 2048), &map, blockIdx.x * 32, (blockIdx.y * tiles + k) * 64, at(full + k % 2));
    };
    if (t < 2) begin(at(full + t), 1);
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    fetch(0);
    for (int k = 0; k < tiles; ++k) {
        fetch(k + 1);
        await(at(full + k % 2), k / 2 & 1);
        const float* p = pieces + k % 2 * 2048;
        for (int e = t; e < 2048; e += 256) {
            const int r = e / 32, c = e % 32;
            out[((blockIdx.y * tiles + k) * 64 + r) * width + blockIdx.x * 32 + c] = 0.2f * (p[e] + p[max(0, r - 1) * 32 + c] + p[min(63, r + 1) * 32 + c] + p[r * 32 + max(0, c - 1)] + p[r * 32 + min(31, c + 1)]);
        }
        __syncthreads();
    }
}

// ---- clusters: bins spread over the shared memory of eight blocks
KERNEL __cluster_dims__(8, 1, 1) l_cluster_bins(const int* __restrict__ x, int* out, int each) {
    __shared__ int bins[1024];
    for (int e = threadIdx.x; e < 1024; e += 256) bins[e] = 0;
    meet();
    for (int k = 0; k < each; ++k) {
        const int v = x[(static_cast<L>(k) * gridDim.x + blockIdx.x) * 256 + threadIdx.x] & 8191;
        asm volatile("red.shared::cluster.add.s32 [%0],1;" ::"r"(of_block(bins + v % 1024, v / 1024)) : "memory");
    }
    meet();
    for (int e = threadIdx.x; e < 1024; e += 256) out[blockIdx.x * 1024 + e] = bins[e];
}

// ---- clusters: a stencil in time whose borders are read from the neighbour's shared memory
KERNEL __cluster_dims__(4, 1, 1) l_cluster_stencil(const float* a, float* out, int steps) {
    __shared__ float u[2][1024];
    const U r = rank_in_cluster(), t = threadIdx.x;
    for (U e = t; e < 1024; e += 256) u[0][e] = a[blockIdx.x * 1024 + e];
    meet();
    const U before = of_block(u[0] + 1023, (r + 3) % 4), after = of_block(u[0], (r + 1) % 4);
    for (int k = 0; k < steps; ++k) {
        const float* s = u[k % 2];
        for (U e = t; e < 1024; e += 256) {
            const float left = e ? s[e - 1] : there(before + k % 2 * 4096), right = e < 1023 ? s[e + 1] : there(after + k % 2 * 4096);
            u[(k + 1) % 2][e] = 0.5f * s[e] + 0.25f * (left + right);
        }
        meet();
    }
    for (U e = t; e < 1024; e += 256) out[blockIdx.x * 1024 + e] = u[steps % 2][e];
}

// ---- clusters: sums of rows, of which each of four blocks has a part; all read all parts
KERNEL __cluster_dims__(4, 1, 1) l_cluster_norm(const float* x, float* out, int n) {
    __shared__ float sums[8], whole;
    const U t = threadIdx.x, r = rank_in_cluster();
    const float* row = x + static_cast<L>(blockIdx.x / 4) * n + r * (n / 4);
    float s = 0;
    for (int e = t; e < n / 4; e += 256) s += row[e] * row[e];
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (t % 32 == 0) sums[t / 32] = s;
    __syncthreads();
    if (t == 0) {
        whole = 0;
        for (int w = 0; w < 8; ++w) whole += sums[w];
    }
    meet();
    float all = 0;
    for (U q = 0; q < 4; ++q) all += there(of_block(&whole, q));
    const float scale = rsqrtf(all / n);
    for (int e = t; e < n / 4; e += 256) out[static_cast<L>(blockIdx.x / 4) * n + r * (n / 4) + e] = row[e] * scale;
    meet();
}

// ---- clusters: every block reads tiles of the others, float4 by float4
KERNEL __cluster_dims__(2, 1, 1) l_cluster_exchange(const float4* a, float4* out, int rounds) {
    __shared__ float4 mine[512];
    const U t = threadIdx.x, r = rank_in_cluster();
    float4 sum = {};
    for (int k = 0; k < rounds; ++k) {
        for (U e = t; e < 512; e += 128) mine[e] = a[(static_cast<L>(k) * gridDim.x + blockIdx.x) * 512 + e];
        meet();
        for (U e = t; e < 512; e += 128) {
            float4 v;
            asm volatile("ld.shared::cluster.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(of_block(mine + (e ^ 64), 1 - r)) : "memory");
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
        meet();
    }
    out[blockIdx.x * 128 + t] = sum;
}
