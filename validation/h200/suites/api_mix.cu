// What programs ask of the runtime: occupancy, pitched and 3-D copies, streams, events, callbacks, prefetched managed memory.
#include <atomic>
#include "../programs/check.h"
__global__ void scale(float* x, size_t pitch, int width, int height, float f) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c < width && r < height) ((float*)((char*)x + r * pitch))[c] *= f;
}
__global__ void volume(cudaPitchedPtr p, int w, int h, int d) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h * d; i += gridDim.x * blockDim.x) {
        const int x = i % w, y = i / w % h, z = i / w / h;
        ((int*)((char*)p.ptr + (z * p.ysize + y) * p.pitch))[x] += x + 10 * y + 100 * z;
    }
}
__global__ void add(const float* a, float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}
std::atomic<int> called{0};
void CUDART_CB done(void* data) { called += *(int*)data; }
void CUDART_CB finished(cudaStream_t, cudaError_t status, void*) { called += status == cudaSuccess ? 100 : 0; }
int main() {
    bool right = true;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    right = right && properties.multiProcessorCount > 0 && properties.warpSize == 32;
    int smallest = 0, best = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&smallest, &best, add, 0, 0));
    right = right && best >= 256 && smallest >= properties.multiProcessorCount;
    const int width = 1000, height = 300;
    std::vector<float> image(width * height), back(width * height);
    Random random(2);
    for (float& x : image) x = random.real();
    float* pitched;
    size_t pitch;
    CHECK(cudaMallocPitch(&pitched, &pitch, width * 4, height));
    CHECK(cudaMemcpy2D(pitched, pitch, image.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    scale<<<dim3((width + 127) / 128, height), 128>>>(pitched, pitch, width, height, 2.f);
    CHECK(cudaMemcpy2D(back.data(), width * 4, pitched, pitch, width * 4, height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; ++i) right = right && back[i] == 2 * image[i];
    const int w = 60, h = 40, d = 30;
    std::vector<int> cube(w * h * d, 5);
    cudaPitchedPtr block;
    CHECK(cudaMalloc3D(&block, make_cudaExtent(w * 4, h, d)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cube.data(), w * 4, w, h);
    copy.dstPtr = block;
    copy.extent = make_cudaExtent(w * 4, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    volume<<<64, 128>>>(block, w, h, d);
    std::swap(copy.srcPtr, copy.dstPtr);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int i = 0; i < w * h * d; ++i) right = right && cube[i] == 5 + i % w + 10 * (i / w % h) + 100 * (i / w / h);
    const int n = 1 << 20, parts = 4, part = n / parts;
    float *a, *b, *host;
    CHECK(cudaMallocManaged(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMallocHost(&host, n * 4));
    for (int i = 0; i < n; ++i) a[i] = i % 1000, host[i] = 1;
    cudaMemLocation here = {};
    here.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemPrefetchAsync(a, n * 4, here, 0, 0));
    cudaStream_t streams[parts];
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    CHECK(cudaEventRecord(first));
    int one = 1;
    for (int k = 0; k < parts; ++k) {
        CHECK(cudaStreamCreate(streams + k));
        CHECK(cudaMemcpyAsync(b + k * part, host + k * part, part * 4, cudaMemcpyHostToDevice, streams[k]));
        add<<<part / 256, 256, 0, streams[k]>>>(a + k * part, b + k * part, part);
        CHECK(cudaMemcpyAsync(host + k * part, b + k * part, part * 4, cudaMemcpyDeviceToHost, streams[k]));
        CHECK(cudaLaunchHostFunc(streams[k], done, &one));
        CHECK(cudaStreamAddCallback(streams[k], finished, nullptr, 0));
    }
    CHECK(cudaEventRecord(last));
    CHECK(cudaEventSynchronize(last));
    for (int k = 0; k < parts; ++k) CHECK(cudaStreamSynchronize(streams[k]));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, first, last));
    right = right && ms > 0 && called == 404;
    for (int i = 0; i < n; ++i) right = right && host[i] == 1 + i % 1000;
    size_t free_bytes, total;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    right = right && free_bytes < total;
    add<<<1, 2048>>>(a, b, n);  // too many threads
    right = right && cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess;
    return verdict(right, "api_mix");
}
