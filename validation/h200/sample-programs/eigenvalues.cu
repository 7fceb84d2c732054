// In the manner of CUDA's eigenvalues: bisection with Sturm counts of a tridiagonal matrix, one eigenvalue a thread.
#include "../programs/check.h"
#include <algorithm>
constexpr int N = 512;
__device__ int count_below(const float* d, const float* s, float x) {
    float delta = d[0] - x;
    int count = delta < 0;
    for (int k = 1; k < N; ++k) {
        delta = d[k] - x - s[k] * s[k] / (fabsf(delta) < 1e-20f ? -1e-20f : delta);
        count += delta < 0;
    }
    return count;
}
__global__ void __launch_bounds__(128) bisect(const float* gd, const float* gs, float low, float high, float* values, unsigned* rounds) {
    extern __shared__ float shared[];
    float *d = shared, *s = shared + N;
    for (int i = threadIdx.x; i < N; i += blockDim.x) d[i] = gd[i], s[i] = gs[i];
    __syncthreads();
    const int which = blockIdx.x * blockDim.x + threadIdx.x;
    float a = low, b = high;
    unsigned n = 0;
    while (b - a > 1e-5f * fmaxf(fabsf(a), fabsf(b)) + 1e-6f) {
        const float mid = 0.5f * (a + b);
        if (count_below(d, s, mid) > which) b = mid; else a = mid;
        ++n;
    }
    values[which] = 0.5f * (a + b);
    atomicMax(rounds, n);
}
int main() {
    std::vector<float> d(N), s(N), got(N);
    Random random(23);
    for (int i = 0; i < N; ++i) d[i] = random.real(), s[i] = i ? random.real() : 0;
    float *dd, *ds, *dv; unsigned *rounds, most = 0;
    CHECK(cudaMalloc(&dd, N * 4)); CHECK(cudaMalloc(&ds, N * 4)); CHECK(cudaMalloc(&dv, N * 4)); CHECK(cudaMalloc(&rounds, 4));
    CHECK(cudaMemcpy(dd, d.data(), N * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(ds, s.data(), N * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(rounds, 0, 4));
    Elapsed elapsed;
    bisect<<<N / 128, 128, 2 * N * sizeof(float)>>>(dd, ds, -2, 3, dv, rounds);
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), dv, N * 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(&most, rounds, 4, cudaMemcpyDeviceToHost));
    bool right = most > 10 && most < 40 && std::is_sorted(got.begin(), got.end());
    double sum = 0, trace = 0, squares = 0, norm = 0;
    for (int i = 0; i < N; ++i) sum += got[i], trace += d[i], squares += double(got[i]) * got[i], norm += d[i] * d[i] + 2 * s[i] * s[i];
    right = right && near(sum, trace, 1e-3) && near(squares, norm, 1e-3);
    return verdict(right, "eigenvalues");
}
