// Half precision in pairs.
#include <cuda_fp16.h>
#include "check.h"
__global__ void axpy(int n, __half2 a, const __half2* x, __half2* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma2(a, x[i], y[i]);
}
int main() {
    const int n = 1 << 20;
    std::vector<__half> x(2 * n), y(2 * n);
    for (int i = 0; i < 2 * n; ++i) x[i] = __float2half(i % 512), y[i] = __float2half(0.5f * (i % 3));
    __half2 *dx, *dy;
    CHECK(cudaMalloc(&dx, n * 4));
    CHECK(cudaMalloc(&dy, n * 4));
    CHECK(cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed time;
    axpy<<<n / 256, 256>>>(n, __floats2half2_rn(2.0f, 0.5f), dx, dy);
    time.print();
    std::vector<__half> got(2 * n);
    CHECK(cudaMemcpy(got.data(), dy, n * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < 2 * n; ++i) {
        float expected = (i % 2 ? 0.5f : 2.0f) * (i % 512) + 0.5f * (i % 3);
        right &= __half2float(got[i]) == __half2float(__float2half(expected));
    }
    return verdict(right, "half_axpy");
}
