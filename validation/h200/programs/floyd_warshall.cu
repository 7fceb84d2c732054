// All shortest paths: a launch for each vertex.
#include <algorithm>
#include "check.h"
__global__ void through(int* d, int n, int k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < n) d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);
}
int main() {
    const int n = 192;
    std::vector<int> d(n * n), got(n * n);
    Random random(41);
    for (int i = 0; i < n * n; ++i) d[i] = i % (n + 1) == 0 ? 0 : 1 + random.next() % 1000;
    int* dd;
    CHECK(cudaMalloc(&dd, n * n * 4));
    CHECK(cudaMemcpy(dd, d.data(), n * n * 4, cudaMemcpyHostToDevice));
    Elapsed time;
    for (int k = 0; k < n; ++k) through<<<dim3(2, n), 96>>>(dd, n, k);
    time.print();
    CHECK(cudaMemcpy(got.data(), dd, n * n * 4, cudaMemcpyDeviceToHost));
    for (int k = 0; k < n; ++k)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) d[y * n + x] = std::min(d[y * n + x], d[y * n + k] + d[k * n + x]);
    return verdict(got == d, "floyd_warshall");
}
