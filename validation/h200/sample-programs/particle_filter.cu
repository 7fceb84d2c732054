// In the manner of Rodinia's particlefilter: weights of particles summed, normalised, and resampled; double precision.
#include "../programs/check.h"
constexpr int N = 8192, T = 512;
__device__ int seeds_a = 1103515245, seeds_c = 12345;
__device__ double uniform(int* seed, int i) {
    seed[i] = seeds_a * seed[i] + seeds_c;
    return fabs(seed[i] / 2147483647.0);
}
__device__ double normal(int* seed, int i) {
    const double u = uniform(seed, i), v = uniform(seed, i);
    return sqrt(-2 * log(u)) * cospi(2 * v);
}
__global__ void likelihood(double* x, double* y, double* weights, int* seed, double* partial, int frame) {
    __shared__ double sums[T];
    const int t = threadIdx.x, i = blockIdx.x * T + t;
    x[i] += 1 + 5 * normal(seed, i);
    y[i] += -2 + 2 * normal(seed, i);
    const double dx = x[i] - frame, dy = y[i] + 2 * frame;
    weights[i] = 1.0 / N * exp(-(dx * dx + dy * dy) / 200);
    sums[t] = weights[i];
    for (int s = T / 2; s; s >>= 1) {
        __syncthreads();
        if (t < s) sums[t] += sums[t + s];
    }
    if (t == 0) partial[blockIdx.x] = sums[0];
}
__global__ void sum(double* partial, int blocks) {
    if (blockIdx.x * T + threadIdx.x == 0) {
        double x = 0;
        for (int i = 0; i < blocks; ++i) x += partial[i];
        partial[0] = x;
    }
}
__global__ void normalise(double* weights, const double* partial, double* cdf, double* u, int* seed) {
    const int i = blockIdx.x * T + threadIdx.x;
    __shared__ double u1, total;
    if (threadIdx.x == 0) total = partial[0];
    __syncthreads();
    weights[i] /= total;
    if (i == 0) {
        cdf[0] = weights[0];
        u[0] = uniform(seed, 0) / N;
    }
    if (threadIdx.x == 0) u1 = 0.5 / N;
    __syncthreads();
    u[i] = u1 + i / double(N);
}
__global__ void accumulate(const double* weights, double* cdf) {
    if (threadIdx.x == 0) {
        double x = 0;
        for (int i = 0; i < N; ++i) cdf[i] = x += weights[i];
    }
}
__global__ void find_index(const double* x, const double* y, const double* cdf, const double* u, double* xj, double* yj) {
    const int i = blockIdx.x * T + threadIdx.x;
    int index = -1;
    for (int k = 0; k < N; ++k)
        if (cdf[k] >= u[i]) { index = k; break; }
    if (index == -1) index = N - 1;
    xj[i] = x[index], yj[i] = y[index];
}
int main() {
    std::vector<double> x(N, 10), y(N, 20), w(N), cdf(N), u(N), xj(N), yj(N);
    std::vector<int> seed(N);
    for (int i = 0; i < N; ++i) seed[i] = i * 97 + 1;
    double *dx, *dy, *dw, *dp, *dc, *du, *dxj, *dyj; int* ds;
    for (double** p : {&dx, &dy, &dw, &dp, &dc, &du, &dxj, &dyj}) CHECK(cudaMalloc(p, N * 8));
    CHECK(cudaMalloc(&ds, N * 4));
    CHECK(cudaMemcpy(dx, x.data(), N * 8, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(dy, y.data(), N * 8, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(ds, seed.data(), N * 4, cudaMemcpyHostToDevice));
    bool right = true;
    Elapsed elapsed;
    for (int frame = 1; frame < 4; ++frame) {
        likelihood<<<N / T, T>>>(dx, dy, dw, ds, dp, frame);
        sum<<<N / T, T>>>(dp, N / T);
        normalise<<<N / T, T>>>(dw, dp, dc, du, ds);
        accumulate<<<1, 32>>>(dw, dc);
        find_index<<<N / T, T>>>(dx, dy, dc, du, dxj, dyj);
        CHECK(cudaMemcpy(x.data(), dx, N * 8, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(y.data(), dy, N * 8, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(w.data(), dw, N * 8, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(cdf.data(), dc, N * 8, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(u.data(), du, N * 8, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(xj.data(), dxj, N * 8, cudaMemcpyDeviceToHost));
        double total = 0;
        for (int i = 0; i < N; ++i) total += exp(-((x[i] - frame) * (x[i] - frame) + (y[i] + 2 * frame) * (y[i] + 2 * frame)) / 200);
        for (int i = 0; i < N; ++i) {
            const double want = exp(-((x[i] - frame) * (x[i] - frame) + (y[i] + 2 * frame) * (y[i] + 2 * frame)) / 200) / total;
            right = right && near(w[i], want, 1e-9);
            int k = 0;
            while (k < N - 1 && cdf[k] < u[i]) ++k;
            right = right && xj[i] == x[k];
        }
        CHECK(cudaMemcpy(dx, dxj, N * 8, cudaMemcpyDeviceToDevice)); CHECK(cudaMemcpy(dy, dyj, N * 8, cudaMemcpyDeviceToDevice));
    }
    elapsed.print();
    right = right && near(cdf[N - 1], 1, 1e-9);
    return verdict(right, "particle_filter");
}
