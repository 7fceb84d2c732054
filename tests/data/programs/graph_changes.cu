// Graphs of nodes with edges, changed after they were made: parameters, whole graphs, clones and children.
#include "check.h"

__global__ void add(float* x, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
__global__ void scale(float* x, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
static void count(void* counter) { ++*static_cast<int*>(counter); }

struct Buffers {
    float *device, *host;
    int n;
};

static cudaGraph_t captured(const Buffers& b, cudaStream_t stream, float by) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(b.device, 0, b.n * sizeof(float), stream));
    add<<<4, 256, 0, stream>>>(b.device, 1.0f, b.n);
    scale<<<4, 256, 0, stream>>>(b.device, by, b.n);
    CHECK(cudaMemcpyAsync(b.host, b.device, b.n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(stream, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static float run(cudaGraphExec_t graph, cudaStream_t stream, const Buffers& b) {
    CHECK(cudaGraphLaunch(graph, stream));
    CHECK(cudaStreamSynchronize(stream));
    return b.host[b.n - 1];
}

// A capture over two streams, and another graph in its place.
static void whole_graphs(const Buffers& b, cudaStream_t stream) {
    cudaGraphExec_t executable;
    cudaGraph_t first = captured(b, stream, 5.0f), second = captured(b, stream, 7.0f), parent, clone;
    std::size_t nodes = 0, edges = 0;
    CHECK(cudaGraphGetNodes(first, nullptr, &nodes));
    EXPECT(nodes == 4);
    CHECK(cudaGraphInstantiate(&executable, first, 0));
    EXPECT(run(executable, stream, b) == 5.0f);
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(executable, second, &result));
    EXPECT(run(executable, stream, b) == 7.0f);
    cudaGraph_t empty;
    CHECK(cudaGraphCreate(&empty, 0));
    EXPECT(cudaGraphExecUpdate(executable, empty, &result) == cudaErrorGraphExecUpdateFailure);
    cudaGetLastError();
    EXPECT(run(executable, stream, b) == 7.0f);
    cudaGraphNode_t child;
    CHECK(cudaGraphCreate(&parent, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, first));
    CHECK(cudaGraphClone(&clone, parent));
    CHECK(cudaGraphInstantiate(&executable, clone, 0));
    EXPECT(run(executable, stream, b) == 5.0f);
    CHECK(cudaGraphGetEdges(second, nullptr, nullptr, nullptr, &edges));
    EXPECT(edges == 3);
}

int main() {
    Buffers b{nullptr, nullptr, 1000};
    cudaStream_t stream;
    CHECK(cudaMalloc(&b.device, b.n * sizeof(float)));
    CHECK(cudaMallocHost(&b.host, b.n * sizeof(float)));
    CHECK(cudaStreamCreate(&stream));
    whole_graphs(b, stream);

    cudaGraph_t graph;
    cudaGraphNode_t clear, plus, times, back, host;
    CHECK(cudaGraphCreate(&graph, 0));
    float five = 5, two = 2, four = 4;
    void *plus_arguments[] = {&b.device, &five, &b.n}, *times_arguments[] = {&b.device, &two, &b.n},
         *other_arguments[] = {&b.device, &four, &b.n};
    cudaKernelNodeParams kernel = {};
    kernel.gridDim = 4;
    kernel.blockDim = 256;
    // The product is added first, and comes after the sum.
    kernel.func = reinterpret_cast<void*>(scale);
    kernel.kernelParams = times_arguments;
    CHECK(cudaGraphAddKernelNode(&times, graph, nullptr, 0, &kernel));
    cudaMemsetParams zero = {};
    zero.dst = b.device;
    zero.elementSize = 4;
    zero.width = b.n;
    zero.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));
    kernel.func = reinterpret_cast<void*>(add);
    kernel.kernelParams = plus_arguments;
    CHECK(cudaGraphAddKernelNode(&plus, graph, &clear, 1, &kernel));
    CHECK(cudaGraphAddDependencies(graph, &plus, &times, nullptr, 1));
    const std::size_t bytes = b.n * sizeof(float);
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &times, 1, b.host, b.device, bytes, cudaMemcpyDeviceToHost));
    int counted = 0;
    cudaHostNodeParams callback = {count, &counted};
    CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &callback));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    EXPECT(run(executable, stream, b) == 10.0f && counted == 1);

    kernel.func = reinterpret_cast<void*>(scale);
    kernel.kernelParams = other_arguments;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, times, &kernel));
    EXPECT(run(executable, stream, b) == 20.0f && counted == 2);
    CHECK(cudaGraphNodeSetEnabled(executable, plus, 0));
    EXPECT(run(executable, stream, b) == 0.0f);

    std::size_t roots = 0, before = 0;
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CHECK(cudaGraphNodeGetDependencies(times, nullptr, nullptr, &before));
    EXPECT(roots == 1 && before == 1);
    CHECK(cudaGraphAddDependencies(graph, &times, &clear, nullptr, 1));  // a circle
    EXPECT(cudaGraphInstantiate(&executable, graph, 0) == cudaErrorInvalidValue);
    CHECK(cudaGraphDestroyNode(host));
    CHECK(cudaGraphDestroy(graph));
    return 0;
}
