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
static void count_it(void* counter) { ++*static_cast<int*>(counter); }

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

// Kernels that were captured are told, and changed; a capture goes on into a graph that is there.
static void captured_nodes(const Buffers& b, cudaStream_t stream) {
    cudaGraph_t graph = captured(b, stream, 3.0f), told;
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    std::size_t count = 4;
    cudaGraphNode_t nodes[4];
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    cudaKernelNodeParams how = {};
    CHECK(cudaGraphKernelNodeGetParams(nodes[2], &how));
    EXPECT(how.func == reinterpret_cast<void*>(scale) && how.gridDim.x == 4 && how.blockDim.x == 256);
    EXPECT(*static_cast<float*>(how.kernelParams[1]) == 3.0f && *static_cast<int*>(how.kernelParams[2]) == b.n);
    float nine = 9.0f;
    how.kernelParams[1] = &nine;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, nodes[2], &how));
    EXPECT(run(executable, stream, b) == 9.0f);
    EXPECT(cudaGraphKernelNodeGetParams(nodes[0], &how) == cudaErrorInvalidValue);
    cudaGetLastError();
    cudaLaunchAttributeValue value = {};
    value.cooperative = 1;
    CHECK(cudaGraphKernelNodeSetAttribute(nodes[2], cudaLaunchAttributeCooperative, &value));
    CHECK(cudaGraphKernelNodeCopyAttributes(nodes[1], nodes[2]));
    value.cooperative = 0;
    CHECK(cudaGraphKernelNodeGetAttribute(nodes[1], cudaLaunchAttributeCooperative, &value));
    EXPECT(value.cooperative == 1);

    CHECK(cudaStreamBeginCaptureToGraph(stream, graph, &nodes[2], nullptr, 1, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t* after = nullptr;
    std::size_t before = 0;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &told, &after, nullptr, &before));
    EXPECT(status == cudaStreamCaptureStatusActive && told == graph && before == 1 && after[0] == nodes[2]);
    cudaGraphNode_t empty;
    CHECK(cudaGraphAddEmptyNode(&empty, told, after, before));
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
    float* of_graph;
    CHECK(cudaMallocAsync(&of_graph, b.n * sizeof(float), stream));
    CHECK(cudaMemsetAsync(of_graph, 0, b.n * sizeof(float), stream));
    add<<<4, 256, 0, stream>>>(of_graph, 6.0f, b.n);
    CHECK(cudaMemcpyAsync(b.host, of_graph, b.n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(of_graph, stream));
    CHECK(cudaStreamEndCapture(stream, &told));
    EXPECT(told == graph);
    CHECK(cudaGraphRemoveDependencies(graph, &nodes[2], &nodes[3], nullptr, 1));
    CHECK(cudaGraphDestroyNode(nodes[3]));
    int destroyed = 0;
    cudaUserObject_t object;
    CHECK(cudaUserObjectCreate(&object, &destroyed, count_it, 1, cudaUserObjectNoDestructorSync));
    CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    EXPECT(run(executable, stream, b) == 6.0f);
    CHECK(cudaGraphDestroy(graph));
    EXPECT(destroyed == 0);
    CHECK(cudaGraphExecDestroy(executable));
    EXPECT(destroyed == 1);
}

int main() {
    Buffers b{nullptr, nullptr, 1000};
    cudaStream_t stream;
    CHECK(cudaMalloc(&b.device, b.n * sizeof(float)));
    CHECK(cudaMallocHost(&b.host, b.n * sizeof(float)));
    CHECK(cudaStreamCreate(&stream));
    whole_graphs(b, stream);
    captured_nodes(b, stream);

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
    cudaHostNodeParams callback = {count_it, &counted};
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
