#include "driver.h"
extern "C" void nbody(long, long, long, const float*, const float*, const float*, const float*, float*, float*, float*);
__global__ void nbody_gpu(int count, int n, const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ z, const float* __restrict__ m, float* ax, float* ay, float* az) {
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float px = x[i], py = y[i], pz = z[i], sx = 0, sy = 0, sz = 0;
    for (int t = 0; t < n; t += 256) {
        int j = t + threadIdx.x;
        tile[threadIdx.x] = make_float4(x[j], y[j], z[j], m[j]);
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float4 p = tile[k];
            float dx = p.x - px, dy = p.y - py, dz = p.z - pz;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), f = p.w * r * r * r;
            sx += f * dx; sy += f * dy; sz += f * dz;
        }
        __syncthreads();
    }
    if (i < count) ax[i] = sx, ay[i] = sy, az[i] = sz;
}
int main() {
    const long n = 16384;
    float *h[7], *d[7];
    for (int p = 0; p < 7; p++) { h[p] = pinned<float>(n); d[p] = device<float>(n); for (long i = 0; i < n; i++) h[p][i] = number(i * 7 + p); }
    shares("nbody", n, 256, [&](long g) { for (int p = 0; p < 4; p++) up(d[p], h[p], n); nbody_gpu<<<(g + 255) / 256, 256>>>(g, n, d[0], d[1], d[2], d[3], d[4], d[5], d[6]); for (int p = 4; p < 7; p++) down(h[p], d[p], g); },
           [&](long b, long e) { nbody(b, e, n, h[0], h[1], h[2], h[3], h[4], h[5], h[6]); });
}
