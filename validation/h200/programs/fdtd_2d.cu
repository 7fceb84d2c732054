// Three kernels in turn on three fields.
#include "check.h"
const int n = 768;
__global__ void electric_y(float* ey, const float* hz, float source) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    ey[y * n + x] = y == 0 ? source : ey[y * n + x] - 0.5f * (hz[y * n + x] - hz[(y - 1) * n + x]);
}
__global__ void electric_x(float* ex, const float* hz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0) ex[y * n + x] -= 0.5f * (hz[y * n + x] - hz[y * n + x - 1]);
}
__global__ void magnetic(const float* ex, const float* ey, float* hz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n - 1 && y < n - 1)
        hz[y * n + x] -= 0.7f * (ex[y * n + x + 1] - ex[y * n + x] + ey[(y + 1) * n + x] - ey[y * n + x]);
}
int main() {
    const int steps = 8, bytes = n * n * 4;
    std::vector<float> ex(n * n), ey(n * n), hz(n * n), got(n * n);
    for (int i = 0; i < n * n; ++i) ex[i] = i % 11, ey[i] = i % 7, hz[i] = i % 5;
    float *dx, *dy, *dz;
    for (auto p : {&dx, &dy, &dz}) CHECK(cudaMalloc(p, bytes));
    CHECK(cudaMemcpy(dx, ex.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, ey.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dz, hz.data(), bytes, cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid(n / 32, n / 8);
    Elapsed time;
    for (int t = 0; t < steps; ++t) {
        electric_y<<<grid, block>>>(dy, dz, t);
        electric_x<<<grid, block>>>(dx, dz);
        magnetic<<<grid, block>>>(dx, dy, dz);
    }
    time.print();
    CHECK(cudaMemcpy(got.data(), dz, bytes, cudaMemcpyDeviceToHost));
    for (int t = 0; t < steps; ++t) {
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) ey[y * n + x] = y == 0 ? t : ey[y * n + x] - 0.5f * (hz[y * n + x] - hz[(y - 1) * n + x]);
        for (int y = 0; y < n; ++y)
            for (int x = 1; x < n; ++x) ex[y * n + x] -= 0.5f * (hz[y * n + x] - hz[y * n + x - 1]);
        for (int y = 0; y < n - 1; ++y)
            for (int x = 0; x < n - 1; ++x)
                hz[y * n + x] -= 0.7f * (ex[y * n + x + 1] - ex[y * n + x] + ey[(y + 1) * n + x] - ey[y * n + x]);
    }
    bool right = true;
    for (int i = 0; i < n * n; ++i) right &= fabs(got[i] - hz[i]) < 1e-3 * (1 + fabs(hz[i]));
    return verdict(right, "fdtd_2d");
}
