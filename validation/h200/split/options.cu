#include "driver.h"
extern "C" void options(long, long, const float*, const float*, const float*, float*, float*);
__global__ void options_gpu(long n, const float* __restrict__ price, const float* __restrict__ strike, const float* __restrict__ years, float* call, float* put) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float root = 0.3f * sqrtf(years[i]), d1 = (logf(price[i] / strike[i]) + (0.02f + 0.045f) * years[i]) / root, d2 = d1 - root;
    float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2), paid = strike[i] * expf(-0.02f * years[i]);
    call[i] = price[i] * n1 - paid * n2;
    put[i] = paid * (1.0f - n2) - price[i] * (1.0f - n1);
}
int main() {
    const long n = 1L << 22;
    float *h[5], *d[5];
    for (int p = 0; p < 5; p++) { h[p] = pinned<float>(n); d[p] = device<float>(n); for (long i = 0; i < n; i++) h[p][i] = number(i * 5 + p) * 10; }
    shares("options", n, 256, [&](long g) { for (int p = 0; p < 3; p++) up(d[p], h[p], g); options_gpu<<<(g + 255) / 256, 256>>>(g, d[0], d[1], d[2], d[3], d[4]); for (int p = 3; p < 5; p++) down(h[p], d[p], g); },
           [&](long b, long e) { options(b, e, h[0], h[1], h[2], h[3], h[4]); });
}
