// The driver interface: rows, boxes, textures, graphs, callbacks; kernels by name from the program's own code.
#include <cuda.h>

#include <vector>

#include "check.h"

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

extern "C" __global__ void read(cudaTextureObject_t texture, float* out, int width) {
    out[blockIdx.x * width + threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}
static void count(void* counter) { ++*static_cast<int*>(counter); }

static CUdeviceptr rows(const std::vector<float>& data, int width, int height, std::size_t& pitch) {
    CUdeviceptr memory;
    DRIVER(cuMemAllocPitch(&memory, &pitch, width * sizeof(float), height, 4));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = data.data();
    copy.srcPitch = width * sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = memory;
    copy.dstPitch = pitch;
    copy.WidthInBytes = width * sizeof(float);
    copy.Height = height;
    DRIVER(cuMemcpy2D(&copy));
    return memory;
}

int main() {
    const int width = 40, height = 10;
    std::vector<float> data(width * height), back(width * height);
    for (int i = 0; i < width * height; ++i) data[i] = i;
    CHECK(cudaFree(nullptr));
    std::size_t pitch;
    const CUdeviceptr memory = rows(data, width, height, pitch);

    CUDA_ARRAY_DESCRIPTOR shape = {width, height, CU_AD_FORMAT_FLOAT, 1};
    CUarray array;
    DRIVER(cuArrayCreate(&array, &shape));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = width * sizeof(float);
    copy.Height = height;
    DRIVER(cuMemcpy2D(&copy));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC sampling = {};
    CUtexObject texture;
    DRIVER(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));

    float* out;
    CHECK(cudaMallocManaged(&out, data.size() * sizeof(float)));
    cudaFunction_t function;
    CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<void*>(read)));
    int parameter = width, counted = 0, grid = 0, block = 0;
    void* arguments[] = {&texture, &out, &parameter};
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    DRIVER(cuLaunchKernel(function, height, 1, 1, width, 1, 1, 0, stream, arguments, nullptr));
    DRIVER(cuLaunchHostFunc(stream, count, &counted));
    DRIVER(cuStreamEndCapture(stream, &graph));
    DRIVER(cuGraphInstantiate(&executable, graph, 0));
    EXPECT(counted == 0 && out[1] == 0);
    DRIVER(cuGraphLaunch(executable, stream));
    DRIVER(cuStreamSynchronize(stream));
    EXPECT(counted == 1);
    for (int i = 0; i < width * height; ++i) EXPECT(out[i] == data[i]);

    DRIVER(cuMemsetD2D32(memory, pitch, 0x40000000, width, height));
    DRIVER(cuMemcpyDtoH(back.data(), memory + 9 * pitch, width * sizeof(float)));
    EXPECT(back[width - 1] == 2.0f);
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0));
    EXPECT(block > 0 && block % 32 == 0 && grid > 0);
    DRIVER(cuMemHostRegister(back.data(), back.size() * sizeof(float), 0));
    DRIVER(cuMemHostUnregister(back.data()));
    std::size_t stack = 0;
    DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    DRIVER(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
    EXPECT(stack == 4096);
    return 0;
}
