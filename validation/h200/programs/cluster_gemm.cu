// A product of matrices by TMA, mbarriers and wgmma in clusters of two: each block loads one half of B's tile and sends it to
// both. C = A B', 128 x 128 x 128, FP16 with FP32 sums. Needs -arch=sm_90a.
#include <cuda.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int n = 128, step = 64;  // 64 halves are a row of 128 bytes

__device__ uint32_t at(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ void await(uint64_t* bar, int parity) {
    asm volatile(
        "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done;\nbra again;\ndone:\n}" ::"r"(at(bar)),
        "r"(parity)
        : "memory");
}
__device__ void meet() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ uint64_t descriptor(const void* p) {
    return static_cast<uint64_t>((at(p) & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// A block computes 64 x 64 of C: rows by y, columns by x; the two blocks of a cluster share the columns.
__global__ void __cluster_dims__(1, 2, 1) multiply(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, float* c) {
    __shared__ __align__(1024) __half a[64 * step], b[64 * step];
    __shared__ uint64_t full;
    const int rank = blockIdx.y % 2;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(at(&full)) : "memory");
    }
    meet();
    float d[32] = {};
    for (int k = 0; k < n / step; ++k) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(2 * 64 * step * 2) : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(a)), "l"(&a_map), "r"(k * step), "r"((int)blockIdx.y * 64), "r"(at(&full)) : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at(b + rank * 32 * step)), "l"(&b_map), "r"(k * step), "r"((int)blockIdx.x * 64 + rank * 32), "r"(at(&full)), "h"((unsigned short)3) : "memory");
        }
        await(&full, k & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int part = 0; part < step / 16; ++part) {
            const uint64_t da = descriptor(a) + 2 * part, db = descriptor(b) + 2 * part;
            asm volatile(
                "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, "
                "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
                  "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
                  "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                : "l"(da), "l"(db)
                : "memory");
        }
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        meet();  // both have read B
    }
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < 32; ++k) {
        const int row = blockIdx.y * 64 + warp * 16 + lane / 4 + 8 * (k / 2 % 2), column = blockIdx.x * 64 + k / 4 * 8 + 2 * (lane % 4) + k % 2;
        c[row * n + column] = d[k];
    }
}

CUtensorMap map_of(__half* data, unsigned rows) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult status;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &status));
    CUtensorMap map;
    const cuuint64_t sizes[] = {n, n}, strides[] = {n * 2};
    const cuuint32_t box[] = {step, rows}, steps[] = {1, 1};
    const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
    const int error = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (error != 0) std::printf("a map is refused: %d\n", error);
    return map;
}

int main() {
    std::vector<__half> a(n * n), b(n * n);
    std::vector<float> c(n * n);
    for (int k = 0; k < n * n; ++k) a[k] = __float2half(static_cast<float>(k % 7 - 3)), b[k] = __float2half(static_cast<float>(k % 5 - 2));
    __half *da, *db;
    float* dc;
    CHECK(cudaMalloc(&da, n * n * 2));
    CHECK(cudaMalloc(&db, n * n * 2));
    CHECK(cudaMalloc(&dc, n * n * 4));
    CHECK(cudaMemcpy(da, a.data(), n * n * 2, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), n * n * 2, cudaMemcpyHostToDevice));
    multiply<<<dim3(2, 2), 128>>>(map_of(da, 64), map_of(db, 32), dc);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), dc, n * n * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += __half2float(a[i * n + k]) * __half2float(b[j * n + k]);
            wrong += sum != c[i * n + j];
        }
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
