// A graph captured from two streams, launched many times.
#include "check.h"
__global__ void scale(float* x, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
__global__ void add(float* x, const float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += y[i];
}
int main() {
    const int n = 1 << 18, rounds = 20;
    float *x, *y;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&y, n * 4));
    std::vector<float> ones(n, 1.0f), got(n);
    CHECK(cudaMemcpy(x, ones.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, ones.data(), n * 4, cudaMemcpyHostToDevice));
    cudaStream_t first, second;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraph_t graph;
    cudaGraphExec_t run;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    scale<<<n / 256, 256, 0, first>>>(x, n, 0.5f);
    scale<<<n / 256, 256, 0, second>>>(y, n, 1.0f);
    CHECK(cudaEventRecord(join, second));
    CHECK(cudaStreamWaitEvent(first, join, 0));
    add<<<n / 256, 256, 0, first>>>(x, y, n);
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    for (int i = 0; i < rounds; ++i) CHECK(cudaGraphLaunch(run, first));
    CHECK(cudaStreamSynchronize(first));
    CHECK(cudaMemcpy(got.data(), x, n * 4, cudaMemcpyDeviceToHost));
    float expected = 1;
    for (int i = 0; i < rounds; ++i) expected = expected * 0.5f + 1;
    bool right = true;
    for (float v : got) right &= v == expected;
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    return verdict(right, "graph_steps");
}
