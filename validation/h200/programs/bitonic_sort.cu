// Bitonic sort: a launch for each step.
#include <algorithm>
#include "check.h"
__global__ void step(unsigned* data, int j, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other <= i) return;
    unsigned a = data[i], b = data[other];
    if (((i & k) == 0) == (a > b)) data[i] = b, data[other] = a;
}
int main() {
    const int n = 1 << 17;
    std::vector<unsigned> data(n), got(n);
    Random random(31);
    for (auto& v : data) v = random.next();
    unsigned* d;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMemcpy(d, data.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed time;
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) step<<<n / 512, 512>>>(d, j, k);
    time.print();
    CHECK(cudaMemcpy(got.data(), d, n * 4, cudaMemcpyDeviceToHost));
    std::sort(data.begin(), data.end());
    return verdict(got == data, "bitonic_sort");
}
