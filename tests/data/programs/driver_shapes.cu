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

// Words that a stream writes and another one waits for, and what is known of an address.
static void words(CUstream stream, CUdeviceptr memory) {
    CUstreamBatchMemOpParams wait = {};
    wait.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    wait.waitValue.address = memory;
    wait.waitValue.value64 = 0x500000004;
    wait.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    unsigned first = 0;
    DRIVER(cuMemcpyDtoH(&first, memory, 4));
    DRIVER(cuStreamWriteValue64(stream, memory, 0x500000004, 0));
    DRIVER(cuStreamWaitValue32(nullptr, memory, 3, CU_STREAM_WAIT_VALUE_GEQ));
    DRIVER(cuStreamBatchMemOp(nullptr, 1, &wait, 0));
    DRIVER(cuStreamWriteValue32(stream, memory, first, 0));
    CUmemorytype type;
    CUdeviceptr begin = 0;
    int managed = 1;
    void* answers[] = {&type, &managed, &begin};
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
    DRIVER(cuPointerGetAttributes(3, wanted, answers, memory + 8));
    EXPECT(type == CU_MEMORYTYPE_DEVICE && managed == 0 && begin == memory);
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

    std::size_t nodes = 1;
    CUgraphNode node;
    CUDA_KERNEL_NODE_PARAMS told = {};
    DRIVER(cuGraphGetNodes(graph, &node, &nodes));
    DRIVER(cuGraphKernelNodeGetParams(node, &told));
    EXPECT(told.gridDimX == height && *static_cast<int*>(told.kernelParams[2]) == width);
    DRIVER(cuMemPrefetchAsync(CUdeviceptr(out), data.size() * sizeof(float), {CU_MEM_LOCATION_TYPE_DEVICE, 0}, 0, stream));
    words(stream, memory);

    CUDA_ARRAY_DESCRIPTOR found;
    DRIVER(cuArrayGetDescriptor(&found, array));
    EXPECT(found.Width == width && found.Height == height && found.Format == CU_AD_FORMAT_FLOAT);
    const float seven = 7;
    DRIVER(cuMemcpyHtoA(array, 4, &seven, 4));
    DRIVER(cuMemcpyAtoH(back.data(), array, 0, 3 * sizeof(float)));
    EXPECT(back[0] == 0 && back[1] == 7 && back[2] == 2);

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
