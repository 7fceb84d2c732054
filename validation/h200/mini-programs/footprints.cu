// Memory as programs manage it: nodes of a graph that take and give memory (with what the device keeps for them), pools with thresholds and
// counters, memory in streams, limits, attributes of pointers, and a graph whose kernel is told another argument.
#include "../user-programs/digest.h"

__global__ void fill(int* data, int n, int base) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = base + i;
}
__global__ void add(int* to, const int* from, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] += from[i];
}
int main() {
    const int n = 1 << 20;
    int* total;
    CHECK(cudaMalloc(&total, n * 4));
    CHECK(cudaMemset(total, 0, n * 4));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams take = {};
    take.poolProps.allocType = cudaMemAllocationTypePinned;
    take.poolProps.location = {cudaMemLocationTypeDevice, 0};
    take.bytesize = n * 4;
    cudaGraphNode_t taken, filled, added, given;
    CHECK(cudaGraphAddMemAllocNode(&taken, graph, nullptr, 0, &take));
    int size = n, base = 5;
    void* of_fill[] = {&take.dptr, &size, &base};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)fill, kernel.gridDim = dim3(132), kernel.blockDim = dim3(256), kernel.kernelParams = of_fill;
    CHECK(cudaGraphAddKernelNode(&filled, graph, &taken, 1, &kernel));
    void* of_add[] = {&total, &take.dptr, &size};
    kernel.func = (void*)add, kernel.kernelParams = of_add;
    CHECK(cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
    CHECK(cudaGraphAddMemFreeNode(&given, graph, &added, 1, take.dptr));
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    for (int k = 0; k < 3; ++k) CHECK(cudaGraphLaunch(run, stream));
    base = 7;
    kernel.func = (void*)fill, kernel.kernelParams = of_fill;
    CHECK(cudaGraphExecKernelNodeSetParams(run, filled, &kernel));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaStreamSynchronize(stream));
    unsigned long long used = 1, kept = 0, high = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &kept));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
    bool right = high >= (unsigned long long)n * 4;
    printf("graphs use %llu, keep %llu, used at most %llu\n", used, kept, high);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaDeviceGraphMemTrim(0));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    printf("then %llu\n", used);
    right = right && used == 0;
    // pools
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = ~0ull, now = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    int *a, *b;
    for (int k = 0; k < 4; ++k) {
        CHECK(cudaMallocAsync(&a, n * 4, stream));
        CHECK(cudaMallocAsync(&b, n * 2, stream));
        fill<<<132, 256, 0, stream>>>(a, n, k);
        fill<<<132, 256, 0, stream>>>(b, n / 2, k);
        add<<<132, 256, 0, stream>>>(a, b, n / 2);
        add<<<132, 256, 0, stream>>>(total, a, n);
        CHECK(cudaFreeAsync(a, stream));
        CHECK(cudaFreeAsync(b, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &now));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &kept));
    right = right && now == 0;
    size_t stack = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20));
    CHECK(cudaDeviceGetLimit(&stack, cudaLimitPrintfFifoSize));
    cudaPointerAttributes at;
    CHECK(cudaPointerGetAttributes(&at, total + 100));
    right = right && stack >= 4 << 20 && at.type == cudaMemoryTypeDevice && at.device == 0;
    std::vector<int> back(n);
    CHECK(cudaMemcpy(back.data(), total, n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) right = right && back[i] == 4 * i + 22 + 4 * i + 6 + (i < n / 2 ? 4 * i + 6 : 0);
    digest("total", back.data(), n * 4);
    return verdict(right, "footprints");
}
