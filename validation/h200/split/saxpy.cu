#include "driver.h"
extern "C" void saxpy(long, long, float, const float*, float*);
__global__ void saxpy_gpu(long n, float a, const float* __restrict__ x, float* __restrict__ y) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
    const long n = 1L << 25;
    float *x = pinned<float>(n), *y = pinned<float>(n), *dx = device<float>(n), *dy = device<float>(n);
    for (long i = 0; i < n; i++) x[i] = number(i), y[i] = 0;
    shares("saxpy", n, 256, [&](long g) { up(dx, x, g); up(dy, y, g); saxpy_gpu<<<(g + 255) / 256, 256>>>(g, 0.5f, dx, dy); down(y, dy, g); },
           [&](long b, long e) { saxpy(b, e, 0.5f, x, y); });
}
