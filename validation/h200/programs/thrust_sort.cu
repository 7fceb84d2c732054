// Thrust: sort, transform, reduce.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <algorithm>
#include "check.h"
struct Square {
    __host__ __device__ unsigned operator()(unsigned x) const { return x * x; }
};
int main() {
    const int n = 1 << 18;
    thrust::host_vector<unsigned> data(n);
    Random random(9);
    for (int i = 0; i < n; ++i) data[i] = random.next();
    thrust::device_vector<unsigned> keys = data;
    thrust::sort(keys.begin(), keys.end());
    thrust::device_vector<unsigned> squares(n);
    thrust::transform(keys.begin(), keys.end(), squares.begin(), Square());
    unsigned sum = thrust::reduce(squares.begin(), squares.end());
    thrust::host_vector<unsigned> got = keys;
    std::sort(data.begin(), data.end());
    bool right = std::equal(data.begin(), data.end(), got.begin());
    unsigned expected = 0;
    for (unsigned x : data) expected += x * x;
    return verdict(right && sum == expected, "thrust_sort");
}
