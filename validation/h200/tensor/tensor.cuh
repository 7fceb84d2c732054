// Instructions of tensor cores and copies into shared memory.
#pragma once
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
using U = unsigned;

__device__ inline U at(const void* p) { return static_cast<U>(__cvta_generic_to_shared(p)); }
__device__ inline void copy(U to, const void* from) { asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(to), "l"(from)); }
__device__ inline void commit() { asm volatile("cp.async.commit_group;"); }
template <int left>
__device__ inline void arrived() { asm volatile("cp.async.wait_group %0;" ::"n"(left)); }
#define LOAD4(name, how) \
    __device__ inline void name(U (&r)[4], U p) { \
        asm volatile("ldmatrix.sync.aligned.m8n8.x4" how ".shared.b16 {%0,%1,%2,%3},[%4];" \
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p)); \
    }
LOAD4(load4, "")
LOAD4(load4_turned, ".trans")
__device__ inline void mma(float (&c)[4], const U (&a)[4], U b, U d) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"(d));
}
