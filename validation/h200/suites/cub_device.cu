// CUB over the device: reduction, running sums, histogram, selection, runs, sums of segments.
#include <cub/cub.cuh>
#include "../programs/check.h"
template <class Call>
void with_storage(Call call) {
    void* storage = nullptr;
    size_t bytes = 0;
    CHECK(call(storage, bytes));
    CHECK(cudaMalloc(&storage, bytes));
    CHECK(call(storage, bytes));
    CHECK(cudaFree(storage));
}
struct Odd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};
int main() {
    const int n = 1 << 20, segments = 1024;
    std::vector<int> data(n), offsets(segments + 1);
    Random random(5);
    for (int i = 0; i < n; ++i) data[i] = (random.next() % 64) * ((i >> 6) % 3);
    for (int s = 0; s <= segments; ++s) offsets[s] = int((long long)s * s * n / segments / segments);
    int *in, *out, *lengths, *count, *bins, *starts;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMalloc(&lengths, n * sizeof(int)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMalloc(&bins, 128 * sizeof(int)));
    CHECK(cudaMalloc(&starts, offsets.size() * sizeof(int)));
    CHECK(cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(starts, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice));
    std::vector<int> got(n), got_lengths(n), got_bins(128), got_sums(segments);
    int total = 0, most = 0, odd = 0, runs = 0;
    with_storage([&](void* s, size_t& b) { return cub::DeviceReduce::Sum(s, b, in, count, n); });
    CHECK(cudaMemcpy(&total, count, sizeof(int), cudaMemcpyDeviceToHost));
    with_storage([&](void* s, size_t& b) { return cub::DeviceReduce::Max(s, b, in, count, n); });
    CHECK(cudaMemcpy(&most, count, sizeof(int), cudaMemcpyDeviceToHost));
    with_storage([&](void* s, size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, n); });
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    bool right = true;
    int sum = 0, greatest = 0;
    for (int i = 0; i < n; ++i) {
        right = right && got[i] == sum;
        sum += data[i], greatest = data[i] > greatest ? data[i] : greatest;
    }
    right = right && total == sum && most == greatest;
    with_storage([&](void* s, size_t& b) { return cub::DeviceHistogram::HistogramEven(s, b, in, bins, 129, 0, 128, n); });
    CHECK(cudaMemcpy(got_bins.data(), bins, 128 * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> expected(128);
    for (int x : data) ++expected[x];
    right = right && got_bins == expected;
    with_storage([&](void* s, size_t& b) { return cub::DeviceSelect::If(s, b, in, out, count, n, Odd()); });
    CHECK(cudaMemcpy(&odd, count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    int at = 0;
    for (int x : data)
        if (x & 1) right = right && got[at++] == x;
    right = right && odd == at;
    with_storage([&](void* s, size_t& b) { return cub::DeviceRunLengthEncode::Encode(s, b, in, out, lengths, count, n); });
    CHECK(cudaMemcpy(&runs, count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(got_lengths.data(), lengths, n * sizeof(int), cudaMemcpyDeviceToHost));
    at = 0;
    for (int i = 0; i < n; ++at) {
        int end = i;
        while (end < n && data[end] == data[i]) ++end;
        right = right && got_lengths[at] == end - i;
        i = end;
    }
    right = right && at == runs;
    with_storage([&](void* s, size_t& b) { return cub::DeviceSegmentedReduce::Sum(s, b, in, out, segments, starts, starts + 1); });
    CHECK(cudaMemcpy(got_sums.data(), out, segments * sizeof(int), cudaMemcpyDeviceToHost));
    for (int s = 0; s < segments; ++s) {
        sum = 0;
        for (int i = offsets[s]; i < offsets[s + 1]; ++i) sum += data[i];
        right = right && got_sums[s] == sum;
    }
    return verdict(right, "cub_device");
}
