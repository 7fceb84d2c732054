// Reads of textures: each warp reads texels in the shape that its name says; every kernel is one launch, for counters.
#include "../programs/check.h"
// shape: 0 row of 32, 1 16x2, 2 8x4, 3 column of 32, 4 scattered
template <class T> __device__ inline float first(T v) { return v.x; }
template <> __device__ inline float first(float v) { return v; }
template <class T, int SHAPE, int LINEAR> __global__ void image(cudaTextureObject_t t, float* out, int w, int h, int reads) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int tw = SHAPE == 0 ? 32 : SHAPE == 1 ? 16 : SHAPE == 2 ? 8 : 1, th = 32 / tw, across = w / tw;
    float sum = 0;
    for (int r = 0; r < reads; ++r) {
        const int tile = warp + r * (gridDim.x * blockDim.x / 32);
        int x = tile % across * tw + lane % tw, y = (tile / across * th + lane / tw) % h;
        if (SHAPE == 4) { unsigned s = (tile * 32 + lane) * 2654435761u; s ^= s >> 15; s *= 2246822519u; x = (s >> 8) % w, y = (s >> 3) * 40503u % h; }
        sum += first(tex2D<T>(t, x + 0.5f + 0.3f * LINEAR, y + 0.5f + 0.3f * LINEAR));
    }
    if (sum == 12345.678f) *out = sum;
}
__global__ void line(cudaTextureObject_t t, float* out, int n, int reads) {
    float sum = 0;
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < reads; ++r) sum += tex1Dfetch<float>(t, (at + r * gridDim.x * blockDim.x) % n);
    if (sum == 12345.678f) *out = sum;
}
__global__ void surface_write(cudaSurfaceObject_t s, int w) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    surf2Dwrite((float)x, s, x * 4, y);
}
__global__ void surface_read(cudaSurfaceObject_t s, float* out, int w) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (surf2Dread<float>(s, x * 4, y) == 12345.678f) *out = 1;
}
__global__ void latency(cudaTextureObject_t t, float* out, int steps) {
    float at = 0;
    for (int i = 0; i < steps; ++i) at += tex2D<float>(t, at + 0.5f, 0.5f);
    *out = at;
}
template <class T> static cudaArray_t filled(int w, int h) {
    cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CHECK(cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore));
    std::vector<char> zero((size_t)w * sizeof(T) * h);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, zero.data(), w * sizeof(T), w * sizeof(T), h, cudaMemcpyHostToDevice));
    return array;
}
static cudaTextureObject_t texture(cudaArray_t array, bool linear, bool bytes = false) {
    cudaResourceDesc resource = {}; resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {}; how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = bytes ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    cudaTextureObject_t t; CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr)); return t;
}
template <class T, int SHAPE, int LINEAR> static void go(cudaTextureObject_t t, float* out, int w, int h) {
    for (int k = 0; k < 2; ++k) image<T, SHAPE, LINEAR><<<1056, 256>>>(t, out, w, h, (int)((long)w * h / (1056 * 256) + 1));
}
int main() {
    float* out; CHECK(cudaMalloc(&out, 4096));
    for (int side : {256, 2048, 8192}) {
        cudaArray_t a = filled<float>(side, side);
        cudaTextureObject_t p = texture(a, false), l = texture(a, true);
        go<float, 0, 0>(p, out, side, side); go<float, 1, 0>(p, out, side, side); go<float, 2, 0>(p, out, side, side); go<float, 3, 0>(p, out, side, side); go<float, 4, 0>(p, out, side, side);
        go<float, 0, 1>(l, out, side, side); go<float, 1, 1>(l, out, side, side); go<float, 2, 1>(l, out, side, side);
        if (side == 256) { latency<<<1, 1>>>(p, out, 1000); latency<<<1, 1>>>(l, out, 1000); }
        if (side == 2048) {
            cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a; cudaSurfaceObject_t s; CHECK(cudaCreateSurfaceObject(&s, &r));
            for (int k = 0; k < 2; ++k) { surface_write<<<dim3(128, 128), dim3(16, 16)>>>(s, side); surface_read<<<dim3(128, 128), dim3(16, 16)>>>(s, out, side); surface_write<<<dim3(64, 256), dim3(32, 8)>>>(s, side); surface_read<<<dim3(64, 256), dim3(32, 8)>>>(s, out, side); }
        }
        CHECK(cudaDeviceSynchronize()); CHECK(cudaFreeArray(a));
        if (side == 8192) break;
        a = filled<float4>(side, side); p = texture(a, false), l = texture(a, true);
        go<float4, 0, 0>(p, out, side, side); go<float4, 1, 0>(p, out, side, side); go<float4, 2, 0>(p, out, side, side); go<float4, 1, 1>(l, out, side, side);
        CHECK(cudaDeviceSynchronize()); CHECK(cudaFreeArray(a));
        a = filled<uchar4>(side, side); p = texture(a, true, true); go<float4, 1, 1>(p, out, side, side);
        CHECK(cudaDeviceSynchronize());
    }
    float* data; const int n = 16 << 20; CHECK(cudaMalloc(&data, n * 4)); CHECK(cudaMemset(data, 0, n * 4));
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = data; r.res.linear.desc = cudaCreateChannelDesc<float>(); r.res.linear.sizeInBytes = n * 4;
    cudaTextureDesc how = {}; cudaTextureObject_t t; CHECK(cudaCreateTextureObject(&t, &r, &how, nullptr));
    for (int size : {1 << 14, 1 << 20, n}) for (int k = 0; k < 2; ++k) line<<<1056, 256>>>(t, out, size, 32);
    CHECK(cudaDeviceSynchronize()); printf("done %s\n", cudaGetErrorName(cudaGetLastError()));
}
