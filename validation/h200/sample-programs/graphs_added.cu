// In the manner of CUDA's simpleCudaGraphs and graphMemoryNodes: cudaGraphAddNode, memory nodes, changed nodes, a clone.
#include "../programs/check.h"
constexpr int N = 1 << 18, T = 256;
__global__ void reduce(const float* in, double* out, size_t n) {
    __shared__ double sums[T];
    double sum = 0;
    for (size_t i = blockIdx.x * T + threadIdx.x; i < n; i += gridDim.x * T) sum += in[i];
    sums[threadIdx.x] = sum;
    for (int half = T / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
__global__ void last(const double* in, double* out, int n) {
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += in[i];
    for (int k = 16; k; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
    if (threadIdx.x == 0) *out += sum;
}
static cudaGraphNodeParams kernel(void* function, dim3 grid, dim3 block, void** arguments) {
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = function, p.kernel.gridDim = grid, p.kernel.blockDim = block, p.kernel.kernelParams = arguments;
    return p;
}
static void CUDART_CB host(void* data) { ++*(int*)data; }
int main() {
    std::vector<float> in(N);
    Random random(41);
    double want = 0, got = 0;
    for (auto& v : in) want += v = random.real();
    float* din; double *dout, *total;
    int calls = 0;
    CHECK(cudaMalloc(&din, N * 4)); CHECK(cudaMalloc(&total, 8)); CHECK(cudaMalloc(&dout, 64 * 8));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t copy, clear, first, second, back, call;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeMemcpy;
    p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(in.data(), N * 4, N, 1);
    p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(din, N * 4, N, 1);
    p.memcpy.copyParams.extent = make_cudaExtent(N * 4, 1, 1), p.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
    CHECK(cudaGraphAddNode(&copy, graph, nullptr, nullptr, 0, &p));
    p = {};
    p.type = cudaGraphNodeTypeMemset;
    p.memset.dst = total, p.memset.value = 0, p.memset.elementSize = 4, p.memset.width = 2, p.memset.height = 1;
    CHECK(cudaGraphAddNode(&clear, graph, nullptr, nullptr, 0, &p));
    size_t n = N;
    int blocks = 64;
    void* one[] = {&din, &dout, &n};
    void* two[] = {&dout, &total, &blocks};
    p = kernel((void*)reduce, 64, T, one);
    CHECK(cudaGraphAddNode(&first, graph, &copy, nullptr, 1, &p));
    p = kernel((void*)last, 1, 32, two);
    cudaGraphNode_t both[] = {first, clear};
    CHECK(cudaGraphAddNode(&second, graph, both, nullptr, 2, &p));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &second, 1, &got, total, 8, cudaMemcpyDeviceToHost));
    p = {};
    p.type = cudaGraphNodeTypeHost, p.host.fn = host, p.host.userData = &calls;
    CHECK(cudaGraphAddNode(&call, graph, &back, nullptr, 1, &p));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    cudaGraphExec_t exec, other;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    cudaGraph_t clone;
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphInstantiate(&other, clone, 0));
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    bool right = nodes == 6;
    for (int i = 0; i < 3; ++i) {
        CHECK(cudaGraphLaunch(i < 2 ? exec : other, stream));
        CHECK(cudaStreamSynchronize(stream));
        right = right && near(got, want, 1e-9);
    }
    printf("added %d calls %d\n", right, calls);
    n = N / 2;
    cudaGraphNodeParams changed = kernel((void*)reduce, 64, T, one);
    CHECK(cudaGraphExecNodeSetParams(exec, first, &changed));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    double part = 0;
    for (int i = 0; i < N / 2; ++i) part += in[i];
    right = right && near(got, part, 1e-9) && calls == 4;
    printf("changed %d\n", right);
    // memory of the graph itself
    cudaGraph_t own;
    CHECK(cudaGraphCreate(&own, 0));
    cudaGraphNodeParams room = {};
    room.type = cudaGraphNodeTypeMemAlloc;
    room.alloc.bytesize = N * 4;
    room.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    room.alloc.poolProps.location.type = cudaMemLocationTypeDevice, room.alloc.poolProps.location.id = 0;
    cudaGraphNode_t made, filled, summed, freed;
    CHECK(cudaGraphAddNode(&made, own, nullptr, nullptr, 0, &room));
    float* inside = (float*)room.alloc.dptr;
    p = {};
    p.type = cudaGraphNodeTypeMemcpy;
    p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(in.data(), N * 4, N, 1);
    p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(inside, N * 4, N, 1);
    p.memcpy.copyParams.extent = make_cudaExtent(N * 4, 1, 1), p.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
    CHECK(cudaGraphAddNode(&filled, own, &made, nullptr, 1, &p));
    n = N;
    void* three[] = {&inside, &dout, &n};
    p = kernel((void*)reduce, 64, T, three);
    CHECK(cudaGraphAddNode(&summed, own, &filled, nullptr, 1, &p));
    CHECK(cudaGraphAddMemFreeNode(&freed, own, &summed, 1, inside));
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiateWithFlags(&run, own, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::vector<double> partial(64);
    CHECK(cudaMemcpy(partial.data(), dout, 64 * 8, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (double v : partial) sum += v;
    right = right && near(sum, want, 1e-9);
    CHECK(cudaGraphExecDestroy(exec)); CHECK(cudaGraphDestroy(graph));
    return verdict(right, "graphs_added");
}
