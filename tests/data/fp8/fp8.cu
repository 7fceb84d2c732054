// Conversions of 8-bit numbers, for complete execution: nvcc -arch=sm_90 -lineinfo -cubin.
#include <cuda_fp8.h>
extern "C" __global__ void four(const float4* x, __nv_fp8x4_e4m3* y, __nv_fp8x4_e5m2* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { y[i] = __nv_fp8x4_e4m3(x[i]); z[i] = __nv_fp8x4_e5m2(x[i]); }
}
extern "C" __global__ void back(const __nv_fp8x4_e4m3* y, const __nv_fp8x4_e5m2* z, float4* a, float4* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { a[i] = float4(y[i]); b[i] = float4(z[i]); }
}
extern "C" __global__ void halves(const __half2* h, unsigned short* e4, unsigned short* e5, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    e4[i] = __nv_cvt_halfraw2_to_fp8x2(*(const __half2_raw*)&h[i], __NV_SATFINITE, __NV_E4M3);
    e5[i] = __nv_cvt_halfraw2_to_fp8x2(*(const __half2_raw*)&h[i], __NV_SATFINITE, __NV_E5M2);
}
