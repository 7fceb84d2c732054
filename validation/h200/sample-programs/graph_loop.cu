// In the manner of CUDA's graphConditionalNodes: a while node whose body a kernel ends, and an if node.
#include "../programs/check.h"
__global__ void step(float* x, int* rounds, cudaGraphConditionalHandle again) {
    *x = 0.5f * (*x + 2.0f / *x);
    ++*rounds;
    if (fabsf(*x * *x - 2) < 1e-6f) cudaGraphSetConditional(again, 0);
}
__global__ void decide(const int* rounds, cudaGraphConditionalHandle yes) { cudaGraphSetConditional(yes, *rounds > 2); }
__global__ void mark(int* rounds) { *rounds += 100; }
int main() {
    float* x; int* rounds;
    CHECK(cudaMalloc(&x, 4)); CHECK(cudaMalloc(&rounds, 4));
    const float start = 50;
    CHECK(cudaMemcpy(x, &start, 4, cudaMemcpyHostToDevice)); CHECK(cudaMemset(rounds, 0, 4));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle again, yes;
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&yes, graph, 0, 0));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = again, loop.conditional.type = cudaGraphCondTypeWhile, loop.conditional.size = 1;
    cudaGraphNode_t node, inner, asked, chosen;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    void* arguments[] = {&x, &rounds, &again};
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void*)step, p.kernel.gridDim = dim3(1), p.kernel.blockDim = dim3(1), p.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&inner, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &p));
    void* second[] = {&rounds, &yes};
    p.kernel.func = (void*)decide, p.kernel.kernelParams = second;
    CHECK(cudaGraphAddNode(&asked, graph, &node, nullptr, 1, &p));
    cudaGraphNodeParams branch = {};
    branch.type = cudaGraphNodeTypeConditional;
    branch.conditional.handle = yes, branch.conditional.type = cudaGraphCondTypeIf, branch.conditional.size = 1;
    CHECK(cudaGraphAddNode(&chosen, graph, &asked, nullptr, 1, &branch));
    void* third[] = {&rounds};
    p.kernel.func = (void*)mark, p.kernel.kernelParams = third;
    CHECK(cudaGraphAddNode(&inner, branch.conditional.phGraph_out[0], nullptr, nullptr, 0, &p));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    float got = 0; int n = 0;
    CHECK(cudaMemcpy(&got, x, 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(&n, rounds, 4, cudaMemcpyDeviceToHost));
    printf("%f after %d\n", got, n);
    return verdict(fabs(got - 1.41421356) < 1e-5 && n > 105 && n < 120, "graph_loop");
}
