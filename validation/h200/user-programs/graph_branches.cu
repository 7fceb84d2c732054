// A graph captured from three streams that fork and join by events; its kernels are told and changed afterwards.
#include <algorithm>
#include <cstring>

#include "digest.h"

__global__ void blur(const float* from, float* to, int n, int reach) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = -reach; j <= reach; ++j) sum += from[min(max(i + j, 0), n - 1)];
    to[i] = sum / (2 * reach + 1);
}
__global__ void count(const unsigned* keys, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[keys[i] & 255], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (own[i] != 0) atomicAdd(&bins[i], own[i]);
}
__global__ void combine(const float* a, const unsigned* bins, float* result, float scale, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] * scale + bins[i & 255];
}

int main() {
    const int n = 1 << 20, rounds = 8, reach = 4;
    float *from, *blurred, *result;
    unsigned *keys, *bins;
    for (float** item : {&from, &blurred, &result}) CHECK(cudaMalloc(item, n * sizeof(float)));
    CHECK(cudaMalloc(&keys, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&bins, 256 * sizeof(unsigned)));
    float* input;
    unsigned* numbers;
    CHECK(cudaHostAlloc(&input, n * sizeof(float), cudaHostAllocDefault));
    CHECK(cudaHostAlloc(&numbers, n * sizeof(unsigned), cudaHostAllocDefault));
    Random random(11);
    for (int i = 0; i < n; ++i) input[i] = random.real(), numbers[i] = random.next();
    cudaStream_t first, second, third;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    cudaEvent_t fork, left, right;
    for (cudaEvent_t* item : {&fork, &left, &right}) CHECK(cudaEventCreateWithFlags(item, cudaEventDisableTiming));
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork));
    CHECK(cudaStreamWaitEvent(third, fork, 0));
    CHECK(cudaMemcpyAsync(from, input, n * sizeof(float), cudaMemcpyHostToDevice, second));
    blur<<<n / 256, 256, 0, second>>>(from, blurred, n, reach);
    CHECK(cudaEventRecord(left, second));
    CHECK(cudaMemcpyAsync(keys, numbers, n * sizeof(unsigned), cudaMemcpyHostToDevice, third));
    CHECK(cudaMemsetAsync(bins, 0, 256 * sizeof(unsigned), third));
    count<<<264, 256, 0, third>>>(keys, bins, n);
    CHECK(cudaEventRecord(right, third));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(third, &status));
    if (status != cudaStreamCaptureStatusActive) return verdict(false, "graph_branches: capture");
    CHECK(cudaStreamWaitEvent(first, left));
    CHECK(cudaStreamWaitEvent(first, right));
    combine<<<n / 256, 256, 0, first>>>(blurred, bins, result, 2.0f, n);
    CHECK(cudaStreamEndCapture(first, &graph));
    size_t nodes = 0, edges = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    std::vector<cudaGraphNode_t> all(nodes);
    CHECK(cudaGraphGetNodes(graph, all.data(), &nodes));
    cudaGraphExec_t program;
    CHECK(cudaGraphInstantiate(&program, graph, 0));
    Elapsed elapsed;
    bool right_values = nodes == 6;
    std::vector<float> got(n);
    for (int round = 0; round < rounds; ++round) {
        float scale = 1.0f + round;
        for (cudaGraphNode_t node : all) {
            cudaGraphNodeType type;
            CHECK(cudaGraphNodeGetType(node, &type));
            if (type != cudaGraphNodeTypeKernel) continue;
            cudaKernelNodeParams how = {};
            CHECK(cudaGraphKernelNodeGetParams(node, &how));
            if (how.func != reinterpret_cast<void*>(combine)) continue;
            right_values &= *static_cast<int*>(how.kernelParams[4]) == n && how.gridDim.x == n / 256;
            int size = n;
            void* arguments[] = {&blurred, &bins, &result, &scale, &size};
            how.kernelParams = arguments;
            CHECK(cudaGraphExecKernelNodeSetParams(program, node, &how));
        }
        CHECK(cudaGraphLaunch(program, first));
        CHECK(cudaStreamSynchronize(first));
    }
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), result, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::vector<unsigned> expected(256);
    for (int i = 0; i < n; ++i) ++expected[numbers[i] & 255];
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = -reach; j <= reach; ++j) sum += input[std::min(std::max(i + j, 0), n - 1)];
        right_values &= near(got[i], sum / (2 * reach + 1) * rounds + expected[i & 255], 1e-5);
    }
    CHECK(cudaGraphExecDestroy(program));
    CHECK(cudaGraphDestroy(graph));
    digest("result", got.data(), n * sizeof(float));
    return verdict(right_values, "graph_branches");
}
