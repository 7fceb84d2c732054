// Matrix product in double precision, a thread for each element.
#include "check.h"
__global__ void product(const double* a, const double* b, double* c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
int main() {
    const int n = 384;
    std::vector<double> a(n * n), b(n * n), c(n * n);
    Random random(37);
    for (auto& v : a) v = random.real() - 0.5;
    for (auto& v : b) v = random.real() - 0.5;
    double *da, *db, *dc;
    for (auto p : {&da, &db, &dc}) CHECK(cudaMalloc(p, n * n * 8));
    CHECK(cudaMemcpy(da, a.data(), n * n * 8, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), n * n * 8, cudaMemcpyHostToDevice));
    Elapsed time;
    product<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(da, db, dc, n);
    time.print();
    CHECK(cudaMemcpy(c.data(), dc, n * n * 8, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; i += 17)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            right &= fabs(sum - c[i * n + j]) < 1e-11;
        }
    return verdict(right, "double_product");
}
