// What programs ask of a computer with one GPU, hints on memory, and errors of several threads of the host.
#include <cstring>
#include <thread>

#include "check.h"

__managed__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void scale(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= table[i % 8];
}

static void peers() {
    int count = 0, can = 1;
    CHECK(cudaGetDeviceCount(&count));
    EXPECT(count == 1);
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
    EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
    char bus[32];
    int number = -1;
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    CHECK(cudaDeviceGetByPCIBusId(&number, bus));
    EXPECT(number == 0);
    void *memory, *opened;
    cudaIpcMemHandle_t handle;
    CHECK(cudaMalloc(&memory, 100));
    CHECK(cudaIpcGetMemHandle(&handle, memory));
    EXPECT(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess);
    cudaGetLastError();
}

static void hints() {
    const int n = 1000;
    float* x;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    for (int i = 0; i < n; ++i) x[i] = 1;
    const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    CHECK(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, device));
    CHECK(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetPreferredLocation, host));
    CHECK(cudaMemPrefetchAsync(x, n * sizeof(float), device, 0, 0));
    scale<<<4, 256>>>(x, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(x[i] == i % 8 + 1);
    int mostly = 0, preferred = 0, prefetched = -1;
    CHECK(cudaMemRangeGetAttribute(&mostly, 4, cudaMemRangeAttributeReadMostly, x, n * sizeof(float)));
    CHECK(cudaMemRangeGetAttribute(&preferred, 4, cudaMemRangeAttributePreferredLocation, x, n * sizeof(float)));
    CHECK(cudaMemRangeGetAttribute(&prefetched, 4, cudaMemRangeAttributeLastPrefetchLocation, x, n * sizeof(float)));
    EXPECT(mostly == 1 && preferred == cudaCpuDeviceId && prefetched == 0);
    void* plain;
    CHECK(cudaMalloc(&plain, 64));
    EXPECT(cudaMemPrefetchAsync(plain, 64, device, 0, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
}

static void registered() {  // memory of the program that kernels use
    const int n = 3000;
    auto* own = static_cast<float*>(std::malloc((n + 2) * sizeof(float)));
    for (int i = 0; i < n + 2; ++i) own[i] = 1;
    float* seen = nullptr;
    EXPECT(cudaHostGetDevicePointer(reinterpret_cast<void**>(&seen), own + 1, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaHostRegister(own + 1, n * sizeof(float), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&seen), own + 1, 0));
    scale<<<12, 256>>>(seen, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(own[i + 1] == i % 8 + 1);
    EXPECT(own[0] == 1 && own[n + 1] == 1);
    own[1] = 5;
    scale<<<12, 256>>>(seen, n);
    CHECK(cudaDeviceSynchronize());
    EXPECT(own[1] == 5 && own[2] == 4);
    CHECK(cudaHostUnregister(own + 1));
    EXPECT(own[1] == 5 && own[2] == 4 && cudaHostUnregister(own + 1) != cudaSuccess);
    cudaGetLastError();
    own[1] = 6;
    std::free(own);
}

static void pools() {
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t own, common;
    CHECK(cudaMemPoolCreate(&own, &how));
    CHECK(cudaDeviceGetDefaultMemPool(&common, 0));
    EXPECT(own != common);
    std::uint64_t threshold = 1 << 20, value = 1;
    CHECK(cudaMemPoolSetAttribute(common, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMemPoolGetAttribute(common, cudaMemPoolAttrReleaseThreshold, &value));
    EXPECT(value == threshold);
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReleaseThreshold, &value));
    EXPECT(value == 0);
    void *first, *second;
    CHECK(cudaMallocFromPoolAsync(&first, 1000, own, 0));
    CHECK(cudaMallocAsync(&second, 3000, 0));
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value));
    EXPECT(value >= 1000);
    CHECK(cudaFreeAsync(first, 0));
    CHECK(cudaFree(second));
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value));
    EXPECT(value == 0);
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &value));
    EXPECT(value >= 1000);
    CHECK(cudaMemPoolDestroy(own));
    EXPECT(cudaMallocFromPoolAsync(&first, 1000, own, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
}

static void planes() {  // of which only a part is set
    const cudaExtent whole = {40, 7, 3}, part = {20, 2, 3};
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, whole));
    CHECK(cudaMemset3D(box, 0, whole));
    CHECK(cudaMemset3D(box, 0x11, part));
    const std::size_t bytes = box.pitch * whole.height * whole.depth;
    auto* back = static_cast<unsigned char*>(std::malloc(bytes));
    CHECK(cudaMemcpy(back, box.ptr, bytes, cudaMemcpyDeviceToHost));
    for (std::size_t z = 0; z < whole.depth; ++z)
        for (std::size_t y = 0; y < whole.height; ++y)
            for (std::size_t x = 0; x < whole.width; ++x)
                EXPECT(back[(z * whole.height + y) * box.pitch + x] == (x < 20 && y < 2 ? 0x11 : 0));
    std::free(back);
}

int main() {
    peers();
    hints();
    registered();
    pools();
    planes();
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaStreamAttrValue policy = {};
    policy.syncPolicy = cudaSyncPolicyBlockingSync;
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &policy));
    std::thread([] { EXPECT(cudaSetDevice(9) == cudaErrorInvalidDevice); }).join();
    EXPECT(cudaGetLastError() == cudaSuccess);  // the error is that of the other thread
    return 0;
}
