// Textures and surfaces: coordinates come from memory, results are written as they are.
#include <cuda_runtime.h>

#define EACH(n) for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)

extern "C" __global__ void fetch_1(cudaTextureObject_t tex, const int* at, float* out, int n) { EACH(n) out[k] = tex1Dfetch<float>(tex, at[k]); }
extern "C" __global__ void fetch_bytes(cudaTextureObject_t tex, const int* at, uchar4* out, int n) { EACH(n) out[k] = tex1Dfetch<uchar4>(tex, at[k]); }
extern "C" __global__ void sample_1(cudaTextureObject_t tex, const float* at, float* out, int n) { EACH(n) out[k] = tex1D<float>(tex, at[k]); }
extern "C" __global__ void sample_2(cudaTextureObject_t tex, const float2* at, float* out, int n) { EACH(n) out[k] = tex2D<float>(tex, at[k].x, at[k].y); }
extern "C" __global__ void sample_2_four(cudaTextureObject_t tex, const float2* at, float4* out, int n) { EACH(n) out[k] = tex2D<float4>(tex, at[k].x, at[k].y); }
extern "C" __global__ void sample_2_pair(cudaTextureObject_t tex, const float2* at, int2* out, int n) { EACH(n) out[k] = tex2D<int2>(tex, at[k].x, at[k].y); }
extern "C" __global__ void sample_2_level(cudaTextureObject_t tex, const float2* at, float* out, int n) { EACH(n) out[k] = tex2DLod<float>(tex, at[k].x, at[k].y, 0.0f); }
extern "C" __global__ void sample_3(cudaTextureObject_t tex, const float4* at, float* out, int n) { EACH(n) out[k] = tex3D<float>(tex, at[k].x, at[k].y, at[k].z); }
extern "C" __global__ void sample_layer(cudaTextureObject_t tex, const float4* at, float* out, int n) { EACH(n) out[k] = tex2DLayered<float>(tex, at[k].x, at[k].y, (int)at[k].z); }
extern "C" __global__ void gather_2(cudaTextureObject_t tex, const float2* at, float4* out, int n) { EACH(n) out[k] = tex2Dgather<float4>(tex, at[k].x, at[k].y, 0); }
extern "C" __global__ void surface_2(cudaSurfaceObject_t from, cudaSurfaceObject_t to, const int2* at, int n) {
    EACH(n) {
        float v;
        surf2Dread(&v, from, at[k].x * 4, at[k].y, cudaBoundaryModeZero);
        surf2Dwrite(v * 2 + 1, to, at[k].y * 4, at[k].x, cudaBoundaryModeZero);
    }
}
extern "C" __global__ void surface_1_trap(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int n) {
    EACH(n) {
        int4 v;
        surf1Dread(&v, from, k * 16, cudaBoundaryModeTrap);
        v.x += v.w;
        surf1Dwrite(v, to, k * 16, cudaBoundaryModeClamp);
    }
}
extern "C" __global__ void surface_3_bytes(cudaSurfaceObject_t to, int n) {
    EACH(n) surf3Dwrite((unsigned char)(k * 3), to, k % 8, k / 8 % 4, k / 32);
}
