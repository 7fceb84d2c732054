// Products of warpgroups (wgmma) from shared memory, filled by cp.async or by a bulk copy of tiles that lie in one piece, with mbarriers.
#include "tensor.cuh"

#define EIGHT(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ inline void wgmma(float (&d)[64], U a, U b) {  // cores of 8 rows by 16 bytes, four of them along k
    const unsigned long long form = 8ull << 16 | 32ull << 32, left = form | a >> 4 & 0x3fff, right = form | b >> 4 & 0x3fff;
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
                 "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
                 "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63},%64,%65,1,1,1,0,0;"
                 : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56) : "l"(left), "l"(right));
}
#define ORDER(what) asm volatile("wgmma." what ".sync.aligned;" ::: "memory")
#define SHARED(code, ...) asm volatile(code ::__VA_ARGS__ : "memory")
__device__ inline void await(U barrier, int parity) {
    U done;
    do asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],%2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
    while (!done);
}
__device__ void multiply(float (&d)[64], U left, U right) {
    ORDER("fence");
    for (int j = 0; j < 2; ++j) wgmma(d, left + 256 * j, right + 256 * j);
    ORDER("commit_group");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ void store(const float (&d)[64], float* c, int n) {
    const int t = threadIdx.x % 128;
    for (int i = 0; i < 64; ++i) c[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * n + i / 4 * 8 + t % 4 * 2 + i % 2] = d[i];
}

KERNEL x_wgmma(const __half* a, const __half* b, float* c, int n) {  // two warpgroups, 128 by 128 results
    __shared__ __align__(128) __half s[3][2][4096];
    float d[64] = {};
    const auto fetch = [&](int k) {
        for (int e = threadIdx.x; k < n && e < 1024; e += 256) {
            const int right = e / 512, r = e / 4 % 128, q = e % 4;
            copy(at(&s[k / 32 % 3][right][((r / 8 * 4 + q) * 8 + r % 8) * 8]), (right ? b + (blockIdx.x * 128 + r) * n : a + (blockIdx.y * 128 + r) * n) + k + q * 8);
        }
        commit();
    };
    fetch(0);
    fetch(32);
    for (int k = 0; k < n; k += 32) {
        arrived<1>();
        asm volatile("fence.proxy.async.shared::cta;");
        __syncthreads();
        fetch(k + 64);
        multiply(d, at(s[k / 32 % 3][0]) + threadIdx.x / 128 * 4096, at(s[k / 32 % 3][1]));
    }
    store(d, c + (blockIdx.y * 128 + threadIdx.x / 128 * 64) * n + blockIdx.x * 128, n);
}

// One warp copies tiles of 8 KiB, two warpgroups multiply; a and b lie in tiles of 128 rows by 32 columns.
KERNEL x_bulk_wgmma(const __half* a, const __half* b, float* c, int n) {
    __shared__ __align__(128) __half s[2][2][4096];
    __shared__ unsigned long long full[2], empty[2];
    const int t = threadIdx.x, steps = n / 32;
    if (t < 2) {
        SHARED("mbarrier.init.shared.b64 [%0],1;", "r"(at(full + t)));
        SHARED("mbarrier.init.shared.b64 [%0],256;", "r"(at(empty + t)));
    }
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (t >= 256) {
        for (int k = 0; t == 256 && k < steps; ++k) {
            const U barrier = at(full + k % 2);
            if (k >= 2) await(at(empty + k % 2), k / 2 - 1 & 1);
            SHARED("mbarrier.arrive.expect_tx.shared.b64 _,[%0],16384;", "r"(barrier));
            for (int m = 0; m < 2; ++m)
                SHARED("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],8192,[%2];", "r"(at(s[k % 2][m])),
                       "l"((m ? b + blockIdx.x * 128 * n : a + blockIdx.y * 128 * n) + k * 4096), "r"(barrier));
        }
        return;
    }
    float d[64] = {};
    for (int k = 0; k < steps; ++k) {
        await(at(full + k % 2), k / 2 & 1);
        multiply(d, at(s[k % 2][0]) + t / 128 * 4096, at(s[k % 2][1]));
        SHARED("mbarrier.arrive.shared.b64 _,[%0];", "r"(at(empty + k % 2)));
    }
    store(d, c + (blockIdx.y * 128 + t / 128 * 64) * n + blockIdx.x * 128, n);
}

// Bulk copies without products: sums of tiles of 16 KiB, four of them under way.
KERNEL x_bulk_sum(const float* a, float* out, int tiles) {
    extern __shared__ __align__(128) float ring[];
    __shared__ unsigned long long full[4];
    const int t = threadIdx.x;
    float sum = 0;
    const auto fetch = [&](int k) {
        if (t != 0 || k >= tiles) return;
        const U barrier = at(full + k % 4);
        SHARED("mbarrier.arrive.expect_tx.shared.b64 _,[%0],16384;", "r"(barrier));
        SHARED("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],16384,[%2];", "r"(at(ring + k % 4 * 4096)),
               "l"(a + (static_cast<long long>(blockIdx.x) * tiles + k) * 4096), "r"(barrier));
    };
    if (t < 4) SHARED("mbarrier.init.shared.b64 [%0],1;", "r"(at(full + t)));
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    for (int k = 0; k < 3; ++k) fetch(k);
    for (int k = 0; k < tiles; ++k) {
        fetch(k + 3);
        await(at(full + k % 4), k / 4 & 1);
        for (int e = t; e < 4096; e += 256) sum += ring[k % 4 * 4096 + e];
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = sum;
}
