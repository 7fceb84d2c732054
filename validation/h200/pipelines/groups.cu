// Products of warpgroups: rates by shape and operands, warp specialisation with setmaxnreg, clusters that share tiles, tensor maps.
#include <cuda.h>

#include "../tensor/tensor.cuh"

using L = unsigned long long;
#define ORDER(what) asm volatile("wgmma." what ".sync.aligned;" ::: "memory")
#define SHARED(code, ...) asm volatile(code ::__VA_ARGS__ : "memory")
#define F8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define F32(i) F8(i), F8(i + 8), F8(i + 16), F8(i + 24)
#define R32 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define R64 R32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define R128 R64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95," \
    "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"

// Rows of 64 bytes in cores of 8 rows by 16 bytes, four of them along k; or rows of 128 bytes, swizzled.
__device__ inline L cores(U p) { return 8ull << 16 | 32ull << 32 | (p >> 4 & 0x3fff); }
__device__ inline L swizzled(U p) { return 1ull << 62 | 64ull << 32 | 1ull << 16 | (p >> 4 & 0x3fff); }

__device__ inline void product(float (&d)[4], L a, L b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},%4,%5,1,1,1,0,0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
__device__ inline void product(float (&d)[32], L a, L b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " R32 "},%32,%33,1,1,1,0,0;" : F32(0) : "l"(a), "l"(b));
}
__device__ inline void product(float (&d)[64], L a, L b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " R64 "},%64,%65,1,1,1,0,0;" : F32(0), F32(32) : "l"(a), "l"(b));
}
__device__ inline void product(float (&d)[128], L a, L b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 " R128 "},%128,%129,1,1,1,0,0;" : F32(0), F32(32), F32(64), F32(96) : "l"(a), "l"(b));
}
__device__ inline void product(float (&d)[64], const U (&a)[4], L b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " R64 "},{%64,%65,%66,%67},%68,1,1,1,0;"
                 : F32(0), F32(32) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
__device__ inline void product(float (&d)[32], const U (&a)[4], L b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " R32 "},{%32,%33,%34,%35},%36,1,1,1,0;"
                 : F32(0) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
template <int left> __device__ inline void finished() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }

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
template <int N> __device__ void store(const float (&d)[N], float* c, int n) {
    const int t = threadIdx.x % 128;
    for (int i = 0; i < N; ++i) c[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * n + i / 4 * 8 + t % 4 * 2 + i % 2] = d[i];
}

// ---- rates: the same tiles again and again, `apart` products in a group
#define RATE(name, N) \
    KERNEL name(float* out, int rounds) { \
        __shared__ __align__(128) __half s[2][8192]; \
        float d[N / 2] = {}; \
        for (int e = threadIdx.x; e < 8192; e += blockDim.x) s[0][e] = s[1][e] = __float2half(0.001f * (e % 7)); \
        asm volatile("fence.proxy.async.shared::cta;"); \
        __syncthreads(); \
        for (int r = 0; r < rounds; ++r) { \
            ORDER("fence"); \
            for (int j = 0; j < 4; ++j) product(d, cores(at(s[0]) + 256 * (j % 2)), cores(at(s[1]) + 256 * (j % 2))); \
            ORDER("commit_group"); \
            finished<0>(); \
        } \
        for (int i = 1; i < N / 2; ++i) d[0] += d[i]; \
        out[blockIdx.x * blockDim.x + threadIdx.x] = d[0]; \
    }
RATE(p_rate_8, 8)
RATE(p_rate_64, 64)
RATE(p_rate_128, 128)
RATE(p_rate_256, 256)
#define RATE_REGISTERS(name, N) \
    KERNEL name(const U* in, float* out, int rounds) { \
        __shared__ __align__(128) __half s[8192]; \
        float d[N / 2] = {}; \
        U a[4]; \
        for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + i]; \
        for (int e = threadIdx.x; e < 8192; e += blockDim.x) s[e] = __float2half(0.001f * (e % 7)); \
        asm volatile("fence.proxy.async.shared::cta;"); \
        __syncthreads(); \
        for (int r = 0; r < rounds; ++r) { \
            ORDER("fence"); \
            for (int j = 0; j < 4; ++j) product(d, a, cores(at(s) + 256 * (j % 2))); \
            ORDER("commit_group"); \
            finished<0>(); \
        } \
        for (int i = 1; i < N / 2; ++i) d[0] += d[i]; \
        out[blockIdx.x * blockDim.x + threadIdx.x] = d[0]; \
    }
RATE_REGISTERS(p_rate_registers_64, 64)
RATE_REGISTERS(p_rate_registers_128, 128)

// ---- one warpgroup, 64 by 64 results, filled by cp.async
KERNEL p_small_tiles(const __half* a, const __half* b, float* c, int n) {
    __shared__ __align__(128) __half s[4][2][2048];
    float d[32] = {};
    const auto fetch = [&](int k) {
        for (int e = threadIdx.x; k < n && e < 512; e += 128) {
            const int right = e / 256, r = e / 4 % 64, q = e % 4;
            copy(at(&s[k / 32 % 4][right][((r / 8 * 4 + q) * 8 + r % 8) * 8]), (right ? b + (blockIdx.x * 64 + r) * n : a + (blockIdx.y * 64 + r) * n) + k + q * 8);
        }
        commit();
    };
    fetch(0);
    fetch(32);
    for (int k = 0; k < n; k += 32) {
        arrived<1>();
        asm volatile("fence.proxy.async.shared::cta;");
        __syncthreads();
        ORDER("fence");
        for (int j = 0; j < 2; ++j) product(d, cores(at(s[k / 32 % 4][0]) + 256 * j), cores(at(s[k / 32 % 4][1]) + 256 * j));
        ORDER("commit_group");
        finished<0>();
        fetch(k + 64);
    }
    store(d, c + blockIdx.y * 64 * n + blockIdx.x * 64, n);
}

// ---- one operand in registers, by ldmatrix; rows of 32 numbers, 40 apart
KERNEL p_left_in_registers(const __half* a, const __half* b, float* c, int n) {
    __shared__ __align__(128) __half right[3][4096], left[3][64][40];
    float d[64] = {};
    const int t = threadIdx.x, l = t % 32, w = t / 32;
    const auto fetch = [&](int k) {
        for (int e = t; k < n && e < 512; e += 128) {
            const int r = e / 4, q = e % 4;
            copy(at(&right[k / 32 % 3][((r / 8 * 4 + q) * 8 + r % 8) * 8]), b + (blockIdx.x * 128 + r) * n + k + q * 8);
        }
        for (int e = t; k < n && e < 256; e += 128) copy(at(&left[k / 32 % 3][e / 4][e % 4 * 8]), a + (blockIdx.y * 64 + e / 4) * n + k + e % 4 * 8);
        commit();
    };
    fetch(0);
    fetch(32);
    for (int k = 0; k < n; k += 32) {
        arrived<1>();
        asm volatile("fence.proxy.async.shared::cta;");
        __syncthreads();
        fetch(k + 64);
        U u[2][4];
        for (int j = 0; j < 2; ++j) load4(u[j], at(&left[k / 32 % 3][w * 16 + l % 16][j * 16 + l / 16 * 8]));
        ORDER("fence");
        for (int j = 0; j < 2; ++j) product(d, u[j], cores(at(right[k / 32 % 3]) + 256 * j));
        ORDER("commit_group");
        finished<0>();
    }
    store(d, c + blockIdx.y * 64 * n + blockIdx.x * 128, n);
}

// ---- a producing warpgroup that gives registers away, two that multiply 64 by 256 each; tiles lie in one piece
KERNEL __launch_bounds__(384, 1) p_specialised(const __half* a, const __half* b, float* c, int n) {
    extern __shared__ __align__(1024) __half ring[];  // four times 128 and 256 rows of 32 numbers
    __shared__ L full[4], empty[4];
    const int t = threadIdx.x, steps = n / 32;
    if (t < 4) {
        begin(at(full + t), 1);
        begin(at(empty + t), 256);
    }
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (t < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int k = 0; t == 0 && k < steps; ++k) {
            const U barrier = at(full + k % 4), to = at(ring + k % 4 * 12288);
            if (k >= 4) await(at(empty + k % 4), k / 4 - 1 & 1);
            expect(barrier, 24576);
            bulk(to, a + (static_cast<L>(blockIdx.y) * steps + k) * 4096, 8192, barrier);
            bulk(to + 8192, b + (static_cast<L>(blockIdx.x) * steps + k) * 8192, 16384, barrier);
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[128] = {};
    for (int k = 0; k < steps; ++k) {
        await(at(full + k % 4), k / 4 & 1);
        const U tiles = at(ring + k % 4 * 12288);
        ORDER("fence");
        for (int j = 0; j < 2; ++j) product(d, cores(tiles + (t / 128 - 1) * 4096 + 256 * j), cores(tiles + 8192 + 256 * j));
        ORDER("commit_group");
        finished<1>();
        if (k) arrive(at(empty + (k - 1) % 4));
    }
    finished<0>();
    store(d, c + (blockIdx.y * 128 + (t / 128 - 1) * 64) * n + blockIdx.x * 256, n);
}

// ---- tensor maps: sums of tiles of 64 by 64 numbers, three under way
KERNEL p_map_sum(const __grid_constant__ CUtensorMap map, float* out, int tiles) {
    extern __shared__ __align__(1024) float tile_of[];
    __shared__ L full[4];
    const int t = threadIdx.x;
    float sum = 0;
    const auto fetch = [&](int k) {
        if (t != 0 || k >= tiles) return;
        expect(at(full + k % 4), 8192);
        tile(at(tile_of + k % 4 * 2048), &map, k * 32, blockIdx.x * 64, at(full + k % 4));
    };
    if (t < 4) begin(at(full + t), 1);
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    for (int k = 0; k < 3; ++k) fetch(k);
    for (int k = 0; k < tiles; ++k) {
        fetch(k + 3);
        await(at(full + k % 4), k / 4 & 1);
        for (int e = t; e < 2048; e += 128) sum += tile_of[k % 4 * 2048 + e];
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = sum;
}

// ---- tensor maps: products of 128 by 128, swizzled rows of 128 bytes, four stages, one producing warp
KERNEL __launch_bounds__(288, 1) p_map_product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n) {
    extern __shared__ __align__(1024) __half ring[];
    __shared__ L full[4], empty[4];
    const int t = threadIdx.x, steps = n / 64;
    const U tiles = at(ring) + 1023 & ~1023u;
    if (t < 4) {
        begin(at(full + t), 1);
        begin(at(empty + t), 256);
    }
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (t >= 256) {
        for (int k = 0; t == 256 && k < steps; ++k) {
            const U barrier = at(full + k % 4);
            if (k >= 4) await(at(empty + k % 4), k / 4 - 1 & 1);
            expect(barrier, 32768);
            tile(tiles + k % 4 * 32768, &a, k * 64, blockIdx.y * 128, barrier);
            tile(tiles + k % 4 * 32768 + 16384, &b, k * 64, blockIdx.x * 128, barrier);
        }
        return;
    }
    float d[64] = {};
    for (int k = 0; k < steps; ++k) {
        await(at(full + k % 4), k / 4 & 1);
        const U now = tiles + k % 4 * 32768;
        ORDER("fence");
        for (int j = 0; j < 4; ++j) product(d, swizzled(now + t / 128 * 8192 + 32 * j), swizzled(now + 16384 + 32 * j));
        ORDER("commit_group");
        finished<0>();
        arrive(at(empty + k % 4));
    }
    store(d, c + (blockIdx.y * 128 + t / 128 * 64) * n + blockIdx.x * 128, n);
}

// ---- clusters: blocks read each other's shared memory; a tile that both blocks of a cluster get
__device__ inline U rank_in_cluster() { U r; asm volatile("mov.u32 %0,%%cluster_ctarank;" : "=r"(r)); return r; }
__device__ inline void meet() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }

KERNEL __cluster_dims__(4, 1, 1) p_cluster_sum(const float* a, float* out, int rounds) {
    __shared__ float mine[1024];
    const U t = threadIdx.x, r = rank_in_cluster();
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        for (int q = 0; q < 4; ++q) mine[q * 256 + t] = a[(static_cast<L>(k) * gridDim.x + blockIdx.x) * 1024 + q * 256 + t];
        meet();
        for (U q = 1; q < 4; ++q) {
            U p;
            float x;
            asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(p) : "r"(at(mine + r * 256 + t)), "r"((r + q) % 4));
            asm volatile("ld.shared::cluster.f32 %0,[%1];" : "=f"(x) : "r"(p));
            sum += x;
        }
        meet();
    }
    out[blockIdx.x * 256 + t] = sum;
}

KERNEL __cluster_dims__(2, 1, 1) p_cluster_tiles(const float* a, float* out, int tiles) {
    extern __shared__ __align__(128) float halves[];
    __shared__ L full[2];
    const U t = threadIdx.x, r = rank_in_cluster();
    float sum = 0;
    const auto fetch = [&](int k) {  // each block fetches a half, for both
        if (t != 0 || k >= tiles) return;
        const U barrier = at(full + k % 2), to = at(halves + k % 2 * 4096 + r * 2048);
        expect(barrier, 16384);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0],[%1],8192,[%2],%3;" ::"r"(to),
                     "l"(a + (static_cast<L>(blockIdx.x / 2) * tiles + k) * 4096 + r * 2048), "r"(barrier), "h"(static_cast<unsigned short>(3)) : "memory");
    };
    if (t < 2) begin(at(full + t), 1);
    asm volatile("fence.proxy.async.shared::cta;");
    meet();
    fetch(0);
    for (int k = 0; k < tiles; ++k) {
        fetch(k + 1);
        await(at(full + k % 2), k / 2 & 1);
        for (int e = t; e < 4096; e += 256) sum += halves[k % 2 * 4096 + e];
        meet();
    }
    out[blockIdx.x * 256 + t] = sum;
}
