#include "driver.h"
extern "C" void matmul(long, long, long, const float*, const float*, float*);
__global__ void matmul_gpu(int n, const float* __restrict__ a, const float* __restrict__ b, float* c) {
    __shared__ float s[32][32], t[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        s[y][x] = a[row * n + k + x]; t[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 32; i++) sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
int main() {
    const long n = 1024;
    float *a = pinned<float>(n * n), *b = pinned<float>(n * n), *c = pinned<float>(n * n), *da = device<float>(n * n), *db = device<float>(n * n), *dc = device<float>(n * n);
    for (long i = 0; i < n * n; i++) a[i] = number(i), b[i] = number(3 * i), c[i] = 0;
    shares("matmul", n, 32, [&](long g) { up(da, a, g * n); up(db, b, n * n); matmul_gpu<<<dim3(n / 32, g / 32), dim3(32, 32)>>>(n, da, db, dc); down(c, dc, g * n); },
           [&](long from, long to) { matmul(from, to, n, a, b, c); });
}
