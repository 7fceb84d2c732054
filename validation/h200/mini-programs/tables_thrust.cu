// Thrust and CUB on tables: keys with values, segments, sets, scans by key, random access, histograms, selections and runs.
#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <map>
#include <numeric>

#include "../user-programs/digest.h"

struct Square {
    __host__ __device__ double operator()(float x) const { return (double)x * x; }
};
int main() {
    const int n = 200000;
    Random random(31);
    thrust::host_vector<int> keys(n);
    thrust::host_vector<float> values(n);
    for (int i = 0; i < n; ++i) keys[i] = random.next() % 3000, values[i] = random.real();
    thrust::device_vector<int> k = keys, unique_keys(n), both(n);
    thrust::device_vector<float> v = values, sums(n), by_key(n);
    bool right = true;
    Elapsed elapsed;
    const double squares = thrust::transform_reduce(v.begin(), v.end(), Square(), 0.0, thrust::plus<double>());
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
    const auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), unique_keys.begin(), sums.begin());
    const int groups = ends.first - unique_keys.begin();
    thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), by_key.begin());
    thrust::device_vector<int> asked(1000), places(1000);
    thrust::sequence(asked.begin(), asked.end(), 0, 3);
    thrust::lower_bound(k.begin(), k.end(), asked.begin(), asked.end(), places.begin());
    const auto shared_end = thrust::set_intersection(unique_keys.begin(), unique_keys.begin() + groups, asked.begin(), asked.end(), both.begin());
    const int shared = shared_end - both.begin();
    thrust::device_vector<int> order(n);
    thrust::sequence(order.begin(), order.end());
    const int even = thrust::stable_partition(order.begin(), order.end(), [] __device__(int x) { return x % 2 == 0; }) - order.begin();
    const float gathered = thrust::reduce(thrust::make_permutation_iterator(v.begin(), order.begin()), thrust::make_permutation_iterator(v.begin(), order.begin() + 1000));
    const auto extremes = thrust::minmax_element(v.begin(), v.end());
    const float least = *extremes.first, most = *extremes.second;
    // CUB
    int *counts, *lengths, *runs, *selected, *picked;
    CHECK(cudaMalloc(&counts, 64 * 4));
    CHECK(cudaMalloc(&lengths, n * 4));
    CHECK(cudaMalloc(&runs, 8));
    CHECK(cudaMalloc(&selected, n * 4));
    CHECK(cudaMalloc(&picked, n * 4));
    size_t bytes = 0, most_bytes = 0;
    const int* raw = thrust::raw_pointer_cast(k.data());
    auto below = [] __device__(int x) { return x < 100; };
    cub::DeviceHistogram::HistogramEven(nullptr, bytes, raw, counts, 65, 0, 3200, n), most_bytes = std::max(most_bytes, bytes);
    cub::DeviceRunLengthEncode::Encode(nullptr, bytes, raw, picked, lengths, runs, n), most_bytes = std::max(most_bytes, bytes);
    cub::DeviceSelect::If(nullptr, bytes, raw, selected, runs + 1, n, below), most_bytes = std::max(most_bytes, bytes);
    void* scratch;
    CHECK(cudaMalloc(&scratch, most_bytes));
    bytes = most_bytes, cub::DeviceHistogram::HistogramEven(scratch, bytes, raw, counts, 65, 0, 3200, n);
    bytes = most_bytes, cub::DeviceRunLengthEncode::Encode(scratch, bytes, raw, picked, lengths, runs, n);
    bytes = most_bytes, cub::DeviceSelect::If(scratch, bytes, raw, selected, runs + 1, n, below);
    elapsed.print();
    int of_runs[2], histogram[64];
    CHECK(cudaMemcpy(of_runs, runs, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(histogram, counts, 256, cudaMemcpyDeviceToHost));
    std::map<int, double> truth;
    std::vector<int> bins(64, 0);
    double exact = 0;
    int low = 0;
    for (int i = 0; i < n; ++i) truth[keys[i]] += values[i], exact += (double)values[i] * values[i], ++bins[keys[i] / 50], low += keys[i] < 100;
    thrust::host_vector<float> got = sums;
    thrust::host_vector<int> names = unique_keys, found = places;
    int g = 0, common = 0;
    for (auto [key, sum] : truth) right = right && names[g] == key && near(got[g], sum, 1e-4), ++g, common += key % 3 == 0;
    long long place = std::accumulate(found.begin(), found.end(), 0ll);
    printf("groups %d shared %d even %d gathered %.4f least %g most %g places %lld runs %d low %d\n", groups, shared, even, gathered, least, most, place, of_runs[0], of_runs[1]);
    right = right && groups == g && shared == common && even == n / 2 && of_runs[0] == g && of_runs[1] == low && near(squares, exact, 1e-6) && std::equal(bins.begin(), bins.end(), histogram);
    digest("keys", names.data(), groups * 4);
    return verdict(right, "tables_thrust");
}
