// Thrust: keys sorted with their values, sums by key, unique keys, running sums.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <map>
#include "../programs/check.h"
int main() {
    const int n = 1 << 19;
    Random random(3);
    thrust::host_vector<int> keys(n), values(n);
    for (int i = 0; i < n; ++i) keys[i] = random.next() % 5000, values[i] = random.next() % 1000;
    thrust::device_vector<int> k = keys, v = values, unique_keys(n), sums(n);
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
    auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), unique_keys.begin(), sums.begin());
    const int count = ends.first - unique_keys.begin();
    std::map<int, int> expected;
    for (int i = 0; i < n; ++i) expected[keys[i]] += values[i];
    thrust::host_vector<int> found = unique_keys, totals = sums;
    bool right = count == int(expected.size());
    int at = 0;
    for (auto& [key, sum] : expected) {
        right = right && found[at] == key && totals[at] == sum;
        ++at;
    }
    thrust::device_vector<long long> running(count);
    thrust::inclusive_scan(sums.begin(), sums.begin() + count, running.begin());
    thrust::host_vector<long long> all = running;
    long long total = 0;
    for (auto& item : expected) total += item.second;
    right = right && all[count - 1] == total;
    right = right && thrust::unique(k.begin(), k.end()) - k.begin() == count;
    return verdict(right, "thrust_segments");
}
