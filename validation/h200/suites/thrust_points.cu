// Thrust: reductions of transformed values, zipped iterators, compaction, gather and scatter, a user's structure.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include "../programs/check.h"
struct Point {
    float x, y;
};
struct Length {
    __host__ __device__ double operator()(const Point& p) const { return double(p.x) * p.x + double(p.y) * p.y; }
};
struct Inside {
    __host__ __device__ bool operator()(const Point& p) const { return Length()(p) < 1; }
};
struct Nearer {
    __host__ __device__ bool operator()(const Point& a, const Point& b) const { return Length()(a) < Length()(b); }
};
int main() {
    const int n = 1 << 18;
    Random random(8);
    thrust::host_vector<Point> points(n);
    for (auto& p : points) p = {2 * random.real() - 1, 2 * random.real() - 1};
    thrust::device_vector<Point> on = points, inside(n);
    const double sum = thrust::transform_reduce(on.begin(), on.end(), Length(), 0.0, thrust::plus<double>());
    const int count = thrust::copy_if(on.begin(), on.end(), inside.begin(), Inside()) - inside.begin();
    const int nearest = thrust::min_element(on.begin(), on.end(), Nearer()) - on.begin();
    double expected = 0;
    int within = 0, best = 0;
    for (int i = 0; i < n; ++i) {
        expected += Length()(points[i]), within += Inside()(points[i]);
        if (Nearer()(points[i], points[best])) best = i;
    }
    bool right = near(sum, expected, 1e-10) && count == within && nearest == best;
    thrust::device_vector<int> order(n), back(n);
    thrust::sequence(order.begin(), order.end());
    thrust::sort_by_key(on.begin(), on.end(), order.begin(), Nearer());  // a merge sort: the key is a structure
    thrust::scatter(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), order.begin(), back.begin());
    thrust::device_vector<Point> again(n);
    thrust::gather(back.begin(), back.end(), on.begin(), again.begin());
    thrust::host_vector<Point> restored = again, sorted = on;
    for (int i = 0; i < n; ++i) right = right && restored[i].x == points[i].x && restored[i].y == points[i].y;
    for (int i = 1; i < n; ++i) right = right && !Nearer()(sorted[i], sorted[i - 1]);
    const int odd = thrust::stable_partition(order.begin(), order.end(), [] __device__(int i) { return i % 2; }) - order.begin();
    return verdict(right && odd == n / 2, "thrust_points");
}
