// CUB: device-wide scan and reduction with temporary storage.
#include <cub/cub.cuh>
#include "check.h"
int main() {
    const int n = 1 << 20;
    std::vector<int> data(n), got(n);
    for (int i = 0; i < n; ++i) data[i] = (i * 13) % 17 - 8;
    int *in, *out, *largest, maximum = 0;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&largest, 4));
    CHECK(cudaMemcpy(in, data.data(), n * 4, cudaMemcpyHostToDevice));
    size_t bytes = 0, more = 0;
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n));
    CHECK(cub::DeviceReduce::Max(nullptr, more, out, largest, n));
    void* space;
    CHECK(cudaMalloc(&space, std::max(bytes, more)));
    CHECK(cub::DeviceScan::InclusiveSum(space, bytes, in, out, n));
    CHECK(cub::DeviceReduce::Max(space, more, out, largest, n));
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&maximum, largest, 4, cudaMemcpyDeviceToHost));
    bool right = true;
    int sum = 0, expected = -1 << 30;
    for (int i = 0; i < n; ++i) right &= got[i] == (sum += data[i]), expected = std::max(expected, sum);
    return verdict(right && maximum == expected, "cub_scan");
}
