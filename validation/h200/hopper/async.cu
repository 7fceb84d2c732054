// Asynchronous copies and mbarriers.
#include <cstdint>
#include <cuda.h>

__device__ uint32_t at(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void begin(uint64_t* bar, int count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count)); }

__device__ void expect(uint64_t* bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}

// A wait that ends: a wrong count shows as wrong results, not as a hang.
__device__ void wait(uint64_t* bar, int parity) {
    for (int k = 0; k < 1 << 16; ++k) {
        unsigned done;
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
        if (done) return;
    }
}

#define TILE_LOAD(DIM, COORDS, ...)                                                                                    \
    extern "C" __global__ void tile_load_##DIM(const __grid_constant__ CUtensorMap map, const int* where, unsigned* out, int bytes) { \
        extern __shared__ __align__(1024) unsigned char tile[];                                                       \
        __shared__ uint64_t bar;                                                                                      \
        for (int k = threadIdx.x; k < bytes / 4; k += blockDim.x) reinterpret_cast<unsigned*>(tile)[k] = 0xeeeeeeee;  \
        if (threadIdx.x == 0) { begin(&bar, 1); asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); } \
        __syncthreads();                                                                                              \
        if (threadIdx.x == 0) {                                                                                       \
            asm volatile("cp.async.bulk.tensor." #DIM "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " COORDS "], [%2];" ::"r"(at(tile)), "l"(&map), "r"(at(&bar)), __VA_ARGS__ : "memory"); \
            expect(&bar, bytes);                                                                                      \
        }                                                                                                             \
        wait(&bar, 0);                                                                                                \
        for (int k = threadIdx.x; k < bytes / 4; k += blockDim.x) out[k] = reinterpret_cast<unsigned*>(tile)[k];      \
    }
TILE_LOAD(1, "{%3}", "r"(where[0]))
TILE_LOAD(2, "{%3, %4}", "r"(where[0]), "r"(where[1]))
TILE_LOAD(3, "{%3, %4, %5}", "r"(where[0]), "r"(where[1]), "r"(where[2]))
TILE_LOAD(4, "{%3, %4, %5, %6}", "r"(where[0]), "r"(where[1]), "r"(where[2]), "r"(where[3]))
TILE_LOAD(5, "{%3, %4, %5, %6, %7}", "r"(where[0]), "r"(where[1]), "r"(where[2]), "r"(where[3]), "r"(where[4]))

#define TILE_STORE(NAME, DIM, OP, COORDS, ...)                                                                        \
    extern "C" __global__ void NAME(const __grid_constant__ CUtensorMap map, const int* where, const unsigned* in, int bytes) { \
        extern __shared__ __align__(1024) unsigned char tile[];                                                       \
        for (int k = threadIdx.x; k < bytes / 4; k += blockDim.x) reinterpret_cast<unsigned*>(tile)[k] = in[k];       \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                  \
        __syncthreads();                                                                                              \
        if (threadIdx.x == 0) {                                                                                       \
            asm volatile(OP " [%0, " COORDS "], [%1];" ::"l"(&map), "r"(at(tile)), __VA_ARGS__ : "memory");           \
            asm volatile("cp.async.bulk.commit_group;");                                                              \
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");                                            \
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");                                                 \
        }                                                                                                             \
    }
TILE_STORE(tile_store_1, 1, "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group", "{%2}", "r"(where[0]))
TILE_STORE(tile_store_2, 2, "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", "{%2, %3}", "r"(where[0]), "r"(where[1]))
TILE_STORE(tile_store_3, 3, "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group", "{%2, %3, %4}", "r"(where[0]), "r"(where[1]), "r"(where[2]))
TILE_STORE(tile_add_2, 2, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group", "{%2, %3}", "r"(where[0]), "r"(where[1]))
TILE_STORE(tile_max_2, 2, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group", "{%2, %3}", "r"(where[0]), "r"(where[1]))
TILE_STORE(tile_xor_2, 2, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group", "{%2, %3}", "r"(where[0]), "r"(where[1]))

// Bulk copies in and out, three stages in two phases each; sums of what arrived.
extern "C" __global__ void bulk_pipeline(const unsigned* in, unsigned* out, unsigned* sums, int rounds) {
    constexpr int stages = 3, words = 256;
    __shared__ __align__(128) unsigned data[stages][words], result[words];
    __shared__ uint64_t full[stages], empty[stages];
    __shared__ unsigned total;
    if (threadIdx.x == 0) {
        total = 0;
        for (int k = 0; k < stages; ++k) begin(&full[k], 1), begin(&empty[k], 64);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        if (threadIdx.x == 64)
            for (int k = 0; k < rounds; ++k) {
                const int s = k % stages;
                if (k >= stages) wait(&empty[s], (k / stages - 1) & 1);
                expect(&full[s], words * 4);
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(data[s])), "l"(in + (blockIdx.x * rounds + k) * words), "r"(words * 4), "r"(at(&full[s])) : "memory");
            }
    } else {
        unsigned sum = 0;
        for (int k = 0; k < rounds; ++k) {
            const int s = k % stages;
            wait(&full[s], (k / stages) & 1);
            for (int j = threadIdx.x; j < words; j += 64) sum += data[s][j] * (k + 1);
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&empty[s])) : "memory");
        }
        atomicAdd(&total, sum);
        for (int j = threadIdx.x; j < words; j += 64) result[j] = sum + j;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * words), "r"(at(result)), "r"(words * 4) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

#define BULK_REDUCE(NAME, OP)                                                                                         \
    extern "C" __global__ void NAME(const unsigned* in, unsigned* out) {                                              \
        __shared__ __align__(128) unsigned data[64];                                                                  \
        data[threadIdx.x] = in[threadIdx.x];                                                                          \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                  \
        __syncthreads();                                                                                              \
        if (threadIdx.x == 0) {                                                                                       \
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." OP " [%0], [%1], 256;" ::"l"(out), "r"(at(data)) : "memory"); \
            asm volatile("cp.async.bulk.commit_group;");                                                              \
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");                                                 \
        }                                                                                                             \
    }
BULK_REDUCE(reduce_add_u32, "add.u32")
BULK_REDUCE(reduce_min_s32, "min.s32")
BULK_REDUCE(reduce_max_u64, "max.u64")
BULK_REDUCE(reduce_add_f32, "add.f32")
BULK_REDUCE(reduce_add_f64, "add.f64")
BULK_REDUCE(reduce_add_f16, "add.noftz.f16")
BULK_REDUCE(reduce_min_bf16, "min.bf16")
BULK_REDUCE(reduce_and_b32, "and.b32")
BULK_REDUCE(reduce_inc_u32, "inc.u32")

// States of a barrier: arrivals by one and by several, without an end, tests, the count that is left.
extern "C" __global__ void barrier_states(unsigned* out) {
    __shared__ uint64_t bar;
    const int t = threadIdx.x;
    if (t == 0) begin(&bar, 40);
    __syncthreads();
    uint64_t state = 0;
    if (t < 32) asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at(&bar)) : "memory");
    __syncthreads();
    unsigned before, after, left;
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0,1,0,p;}" : "=r"(before) : "r"(at(&bar)) : "memory");
    __syncthreads();
    if (t == 32) {
        asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], 3;" : "=l"(state) : "r"(at(&bar)) : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(left) : "l"(state));
        out[1] = left;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 5;" : "=l"(state) : "r"(at(&bar)) : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(left) : "l"(state));
        out[2] = left;
    }
    __syncthreads();
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0,1,0,p;}" : "=r"(after) : "r"(at(&bar)) : "memory");
    unsigned own = 0, odd;
    if (t < 33) asm volatile("{.reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(own) : "r"(at(&bar)), "l"(state) : "memory");
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 1; selp.u32 %0,1,0,p;}" : "=r"(odd) : "r"(at(&bar)) : "memory");
    out[8 + t] = before | after << 1 | own << 2 | odd << 3;
    __syncthreads();
    if (t < 39) asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(at(&bar)) : "memory");
    __syncthreads();
    if (t == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&bar)) : "memory");
    __syncthreads();
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 1; selp.u32 %0,1,0,p;}" : "=r"(odd) : "r"(at(&bar)) : "memory");
    if (t == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&bar)) : "memory");  // one is expected now
    __syncthreads();
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0,1,0,p;}" : "=r"(after) : "r"(at(&bar)) : "memory");
    if (t == 0) out[3] = odd, out[4] = after;
    if (t == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(&bar)) : "memory");
}

// cp.async that arrives at an mbarrier.
extern "C" __global__ void copies_arrive(const unsigned* in, unsigned* out) {
    __shared__ __align__(16) unsigned data[256];
    __shared__ uint64_t bar, counted;
    if (threadIdx.x == 0) begin(&bar, 64), begin(&counted, 64);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at(data + 4 * threadIdx.x)), "l"(in + 4 * threadIdx.x) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&counted)) : "memory");
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&counted)) : "memory");
    wait(&bar, 0);
    wait(&counted, 0);
    for (int k = threadIdx.x; k < 256; k += 64) out[k] = data[255 - k];
}
