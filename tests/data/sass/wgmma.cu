// A warp group multiplies tiles that one thread copies to shared memory in bulk.
#include <cstdint>
#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(128) wgmma_loop(const half* a, float* out, int rounds) {
    __shared__ alignas(128) half tile[2][64 * 64];
    __shared__ alignas(8) uint64_t arrived;
    const uint32_t bar = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar));
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16384;" ::"r"(bar));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16384, [%2];" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(tile))), "l"(a), "r"(bar) : "memory");
    }
    __syncthreads();
    float d[32] = {};
    const uint64_t base = (static_cast<uint64_t>(__cvta_generic_to_shared(tile)) >> 4 & 0x3fff) | 1ull << 62;
    for (int r = 0; r < rounds; ++r) {
        asm volatile("wgmma.fence.sync.aligned;");
        asm volatile(
            "{ wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
            "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
            "%32, %33, 1, 1, 1, 0, 0; }"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
              "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
              "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
              "+f"(d[30]), "+f"(d[31])
            : "l"(base), "l"(base + 512));
        asm volatile("wgmma.commit_group.sync.aligned;");
        asm volatile("wgmma.wait_group.sync.aligned 0;");
    }
    float sum = 0;
    for (float x : d) sum += x;
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
