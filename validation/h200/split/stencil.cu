#include "driver.h"
extern "C" void stencil(long, long, long, const float*, float*);
__global__ void stencil_gpu(int planes, int n, const float* __restrict__ a, float* __restrict__ b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z + 1;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1 || k > planes) return;
    size_t at = ((size_t)k * n + j) * n + i, plane = (size_t)n * n;
    b[at] = 0.4f * a[at] + 0.1f * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - plane] + a[at + plane]);
}
int main() {
    const long n = 384, planes = n - 2, size = n * n * n;
    float *a = pinned<float>(size), *b = pinned<float>(size), *da = device<float>(size), *db = device<float>(size);
    for (long i = 0; i < size; i++) a[i] = number(i), b[i] = 0;
    shares("stencil", planes, 1, [&](long g) { up(da, a, (g + 2) * n * n); stencil_gpu<<<dim3((n + 31) / 32, (n + 7) / 8, g), dim3(32, 8)>>>(g, n, da, db); down(b + n * n, db + n * n, g * n * n); },
           [&](long from, long to) { stencil(from + 1, to + 1, n, a, b); });
}
