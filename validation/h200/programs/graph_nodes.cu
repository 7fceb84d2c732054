// A graph whose nodes are added one by one: a set, two kernels, a function of the host, and a copy back.
#include "check.h"

__global__ void add(int* x, int n, int amount) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += amount;
}

static void count(void* data) { ++*static_cast<int*>(data); }

int main() {
    const int n = 1 << 16, rounds = 5;
    int size = n, one = 1, two = 2, calls = 0;
    int* x;
    std::vector<int> result(n);
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    cudaGraph_t graph;
    cudaGraphNode_t set, first, second, called, back, joined;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams zero{};
    zero.dst = x;
    zero.elementSize = 4;
    zero.width = n;
    zero.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zero));
    void* arguments[] = {&x, &size, &one};
    cudaKernelNodeParams kernel{};
    kernel.func = (void*)add;
    kernel.gridDim = n / 256;
    kernel.blockDim = 256;
    kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&first, graph, &set, 1, &kernel));
    arguments[2] = &two;
    CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
    cudaHostNodeParams host{count, &calls};
    CHECK(cudaGraphAddHostNode(&called, graph, &second, 1, &host));
    CHECK(cudaGraphAddEmptyNode(&joined, graph, &called, 1));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &joined, 1, result.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost));
    cudaGraphExec_t ready;
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    for (int round = 0; round < rounds; ++round) CHECK(cudaGraphLaunch(ready, 0));
    CHECK(cudaDeviceSynchronize());
    bool right = calls == rounds;
    for (int value : result) right &= value == 3;
    printf("graph_nodes %s\n", right ? "right" : "WRONG");
    return right ? 0 : 1;
}
