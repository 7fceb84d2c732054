// Conjugate gradients on a five-point matrix; dot products go to the host, which decides when to stop.
#include "check.h"
__global__ void multiply(const double* x, double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, at = j * n + i;
    if (i >= n || j >= n) return;
    double sum = 4.2 * x[at];
    if (i > 0) sum -= x[at - 1];
    if (i < n - 1) sum -= x[at + 1];
    if (j > 0) sum -= x[at - n];
    if (j < n - 1) sum -= x[at + n];
    y[at] = sum;
}
__global__ void dot(const double* a, const double* b, double* out, int n) {
    __shared__ double part[8];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    for (int by = 16; by; by /= 2) sum += __shfl_down_sync(~0u, sum, by);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) sum += part[w];
        out[blockIdx.x] = sum;
    }
}
__global__ void update(double* x, const double* y, double by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by * y[i];
}
__global__ void direction(double* p, const double* r, double by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + by * p[i];
}
int main() {
    const int m = 256, n = m * m, blocks = 132;
    std::vector<double> b(n), x(n), parts(blocks);
    for (int i = 0; i < n; ++i) b[i] = (i % 13) - 6.0;
    double *dx, *dr, *dp, *dq, *dparts;
    for (auto p : {&dx, &dr, &dp, &dq}) CHECK(cudaMalloc(p, n * 8));
    CHECK(cudaMalloc(&dparts, blocks * 8));
    CHECK(cudaMemset(dx, 0, n * 8));
    CHECK(cudaMemcpy(dr, b.data(), n * 8, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dp, b.data(), n * 8, cudaMemcpyHostToDevice));
    auto product = [&](double* u, double* v) {
        dot<<<blocks, 256>>>(u, v, dparts, n);
        CHECK(cudaMemcpy(parts.data(), dparts, blocks * 8, cudaMemcpyDeviceToHost));
        double sum = 0;
        for (double part : parts) sum += part;
        return sum;
    };
    Elapsed time;
    double rho = product(dr, dr), first = rho;
    int rounds = 0;
    while (rho > 1e-16 * first && rounds < 60) {
        multiply<<<dim3(m / 32, m / 8), dim3(32, 8)>>>(dp, dq, m);
        double alpha = rho / product(dp, dq);
        update<<<n / 256, 256>>>(dx, dp, alpha, n);
        update<<<n / 256, 256>>>(dr, dq, -alpha, n);
        double next = product(dr, dr);
        direction<<<n / 256, 256>>>(dp, dr, next / rho, n);
        rho = next;
        ++rounds;
    }
    time.print();
    CHECK(cudaMemcpy(x.data(), dx, n * 8, cudaMemcpyDeviceToHost));
    bool right = rounds < 60;
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i) {
            int at = j * m + i;
            double sum = 4.2 * x[at];
            if (i > 0) sum -= x[at - 1];
            if (i < m - 1) sum -= x[at + 1];
            if (j > 0) sum -= x[at - m];
            if (j < m - 1) sum -= x[at + m];
            right &= fabs(sum - b[at]) < 1e-5;
        }
    printf("rounds %d\n", rounds);
    return verdict(right, "conjugate_gradient");
}
