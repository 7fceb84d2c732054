// Device-wide sums, sorts and selections of CUB and Thrust, in streams and with iterators and functions of their own.
#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <map>

#include "digest.h"

template <class Call>
static void with_storage(Call call, cudaStream_t stream) {
    size_t bytes = 0;
    void* storage = nullptr;
    CHECK(call(nullptr, bytes));
    CHECK(cudaMallocAsync(&storage, bytes, stream));
    CHECK(call(storage, bytes));
    CHECK(cudaFreeAsync(storage, stream));
}
struct Rounded {
    __host__ __device__ int operator()(int value) const { return value / 16 * 16; }
};
struct Square {
    __host__ __device__ long long operator()(int value) const { return static_cast<long long>(value) * value; }
};

int main() {
    const int n = 200000, segments = 400;
    Random random(55);
    std::vector<int> keys(n), values(n), got(n);
    for (int i = 0; i < n; ++i) keys[i] = random.next() % 5000, values[i] = i;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int *d_keys, *d_values, *sorted, *moved, *scanned;
    for (int** item : {&d_keys, &d_values, &sorted, &moved, &scanned}) CHECK(cudaMalloc(item, n * sizeof(int)));
    CHECK(cudaMemcpyAsync(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    bool right = true;
    with_storage([&](void* at, size_t& bytes) { return cub::DeviceScan::InclusiveSum(at, bytes, d_keys, scanned, n, stream); }, stream);
    with_storage([&](void* at, size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(at, bytes, d_keys, sorted, d_values, moved, n, 0, 13, stream);
    }, stream);
    CHECK(cudaMemcpyAsync(got.data(), scanned, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0, sum = 0; i < n; ++i) right &= got[i] == (sum += keys[i]);
    CHECK(cudaMemcpy(got.data(), moved, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    right &= got == values;
    digest("order", got.data(), n * sizeof(int));

    std::vector<int> offsets(segments + 1), sums(segments);
    for (int i = 0; i <= segments; ++i) offsets[i] = static_cast<long long>(n) * i / segments;
    int *d_offsets, *d_sums, *selected, *count;
    CHECK(cudaMalloc(&d_offsets, offsets.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, segments * sizeof(int)));
    CHECK(cudaMalloc(&selected, n * sizeof(int)));
    CHECK(cudaMallocManaged(&count, sizeof(int)));
    CHECK(cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice));
    with_storage([&](void* at, size_t& bytes) {
        return cub::DeviceSegmentedReduce::Max(at, bytes, d_keys, d_sums, segments, d_offsets, d_offsets + 1, stream);
    }, stream);
    const thrust::counting_iterator<int> numbers(0);
    with_storage([&](void* at, size_t& bytes) {
        return cub::DeviceSelect::Flagged(at, bytes, numbers, d_keys, selected, count, n, stream);
    }, stream);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(sums.data(), d_sums, segments * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < segments; ++i) right &= sums[i] == *std::max_element(&keys[offsets[i]], &keys[offsets[i]] + offsets[i + 1] - offsets[i]);
    right &= *count == n - std::count(keys.begin(), keys.end(), 0);

    thrust::device_vector<int> a(keys.begin(), keys.end()), b(n), groups(n), totals(n);
    thrust::transform(thrust::cuda::par.on(stream), a.begin(), a.end(), b.begin(), Rounded());
    thrust::sort_by_key(b.begin(), b.end(), a.begin());
    const auto ends = thrust::reduce_by_key(b.begin(), b.end(), a.begin(), groups.begin(), totals.begin());
    std::map<int, int> expected;
    for (const int key : keys) expected[key / 16 * 16] += key;
    const int found = ends.first - groups.begin();
    std::vector<int> told(found);
    thrust::copy(totals.begin(), ends.second, told.begin());
    right &= found == static_cast<int>(expected.size());
    int place = 0;
    for (const auto& item : expected) right &= place < found && told[place++] == item.second;
    const long long squares = thrust::transform_reduce(a.begin(), a.end(), Square(), 0ll, thrust::plus<long long>());
    long long sum = 0;
    for (const int key : keys) sum += Square()(key);
    right &= squares == sum;
    thrust::device_vector<int> below(10);
    thrust::lower_bound(b.begin(), b.end(), thrust::make_counting_iterator(100), thrust::make_counting_iterator(110), below.begin());
    right &= below[0] == std::count_if(keys.begin(), keys.end(), [](int key) { return key / 16 * 16 < 100; });
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(b.begin(), a.begin()));
    thrust::sort(pairs, pairs + n);
    right &= thrust::is_sorted(a.begin(), a.end());
    right &= thrust::unique(a.begin(), a.end()) - a.begin() == 5000 - [&] {
        int missing = 0;
        for (int key = 0; key < 5000; ++key) missing += std::find(keys.begin(), keys.end(), key) == keys.end();
        return missing;
    }();
    digest("totals", told.data(), told.size() * sizeof(int));
    return verdict(right, "library_sorts");
}
