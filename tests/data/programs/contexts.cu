// Contexts of the driver interface in several threads, and calls of the runtime that make one current.
#include <cuda.h>

#include <thread>
#include <vector>

#include "check.h"

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

__device__ int counts[4] = {1, 2, 3, 4};
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

static CUcontext current() {
    CUcontext found = reinterpret_cast<CUcontext>(8);
    DRIVER(cuCtxGetCurrent(&found));
    return found;
}

static void stacks(CUdevice device) {
    CUcontext first, second, popped;
    EXPECT(current() == nullptr && cuCtxPopCurrent(&popped) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
    DRIVER(cuDevicePrimaryCtxRetain(&first, device));
    EXPECT(current() == nullptr);
    DRIVER(cuCtxPushCurrent(first));
    DRIVER(cuCtxCreate(&second, nullptr, 0, device));
    EXPECT(current() == second && first != second);
    unsigned long long ids[2];
    DRIVER(cuCtxGetId(first, &ids[0]));
    DRIVER(cuCtxGetId(nullptr, &ids[1]));
    EXPECT(ids[0] != ids[1]);
    DRIVER(cuCtxPopCurrent(&popped));
    EXPECT(popped == second && current() == first);
    std::thread([&] {
        EXPECT(current() == nullptr);
        DRIVER(cuCtxSetCurrent(second));
        DRIVER(cuCtxSynchronize());
        DRIVER(cuCtxSetCurrent(nullptr));
        EXPECT(current() == nullptr);
    }).join();
    DRIVER(cuCtxDestroy(second));
    DRIVER(cuDevicePrimaryCtxRelease(device));
    DRIVER(cuCtxSetCurrent(nullptr));
}

// A thread that only asks has no context; one that allocates has the primary one.
static void runtime(CUdevice device) {
    std::thread([&] {
        int count = 0;
        CHECK(cudaGetDeviceCount(&count));
        EXPECT(current() == nullptr);
        void* memory;
        CHECK(cudaMalloc(&memory, 64));
        CUcontext primary;
        DRIVER(cuDevicePrimaryCtxRetain(&primary, device));
        EXPECT(current() == primary);
        unsigned flags = 1;
        int active = 0;
        DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
        EXPECT(active == 1);
        CHECK(cudaFree(memory));
    }).join();
    EXPECT(current() == nullptr);
}

static void symbols_in_graphs() {
    cudaGraph_t graph;
    cudaGraphNode_t to, run, from;
    const int given[4] = {5, 6, 7, 8};
    int back[4] = {}, *address;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), counts));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, counts, given, 12, 4, cudaMemcpyHostToDevice));
    EXPECT(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, counts, given, 16, 4, cudaMemcpyHostToDevice) != cudaSuccess);
    cudaGetLastError();
    void* arguments[] = {&address};
    cudaKernelNodeParams how = {};
    how.func = reinterpret_cast<void*>(twice);
    how.gridDim = 1;
    how.blockDim = 4;
    how.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&run, graph, &to, 1, &how));
    CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &run, 1, back, counts, 16, 0, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms told = {};
    CHECK(cudaGraphMemcpyNodeGetParams(from, &told));
    EXPECT(told.dstPtr.ptr == back && told.srcPtr.ptr == address && told.extent.width == 16 && told.kind == cudaMemcpyDeviceToHost);
    EXPECT(cudaGraphMemcpyNodeGetParams(run, &told) != cudaSuccess);
    cudaGetLastError();
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    EXPECT(back[0] == 2 && back[1] == 10 && back[2] == 12 && back[3] == 14);
}

static void boxes() {
    const cudaExtent box = {8, 3, 2};
    cudaPitchedPtr first, second;
    CHECK(cudaMalloc3D(&first, box));
    CHECK(cudaMalloc3D(&second, box));
    CHECK(cudaMemset3D(first, 7, box));
    cudaMemcpy3DPeerParms copy = {};
    copy.srcPtr = first;
    copy.dstPtr = second;
    copy.extent = box;
    CHECK(cudaMemcpy3DPeer(&copy));
    unsigned char last = 0;
    CHECK(cudaMemcpy(&last, static_cast<char*>(second.ptr) + 5 * second.pitch + 7, 1, cudaMemcpyDeviceToHost));
    EXPECT(last == 7);
    copy.dstDevice = 1;
    EXPECT(cudaMemcpy3DPeer(&copy) != cudaSuccess);
    cudaGetLastError();
    cudaArray_t arrays[2];
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    std::vector<float> data(24), back(24);
    for (int i = 0; i < 24; ++i) data[i] = i;
    for (auto& each : arrays) CHECK(cudaMallocArray(&each, &floats, 8, 3));
    CHECK(cudaMemcpy2DToArray(arrays[0], 0, 0, data.data(), 32, 32, 3, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyArrayToArray(arrays[1], 0, 0, arrays[0], 0, 0, 96, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2DFromArray(back.data(), 32, arrays[1], 0, 0, 32, 3, cudaMemcpyDeviceToHost));
    EXPECT(back == data);
    cudaResourceDesc what = {}, told = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = arrays[1];
    cudaTextureDesc how = {}, told_how = {};
    how.addressMode[0] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    CHECK(cudaGetTextureObjectResourceDesc(&told, texture));
    CHECK(cudaGetTextureObjectTextureDesc(&told_how, texture));
    EXPECT(told.res.array.array == arrays[1] && told_how.filterMode == cudaFilterModeLinear && told_how.addressMode[0] == cudaAddressModeClamp);
    CHECK(cudaDestroyTextureObject(texture));
}

int main() {
    CUdevice device;
    DRIVER(cuInit(0));
    DRIVER(cuDeviceGet(&device, 0));
    std::thread([&] { stacks(device); }).join();
    runtime(device);
    symbols_in_graphs();
    boxes();
    std::printf("all as expected\n");
    return 0;
}
