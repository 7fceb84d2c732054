// Small dense algebra, signals, splines, cross sections and kinetics.
#include <cuda_fp16.h>
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
typedef unsigned U;
typedef unsigned long long L;
#include "uniform.cuh"

KERNEL k_eigen_3(int n, const float* m, float* out)
{
    int i = AT;
    if (i >= n) return;
    float a[3][3];
    for (int p = 0; p < 3; p++)
        for (int q = 0; q <= p; q++) a[p][q] = a[q][p] = m[(p * (p + 1) / 2 + q) * n + i];
    for (int sweep = 0; sweep < 20; sweep++) {
        float off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
        if (off < 1e-10f) break;
#pragma unroll
        for (int p = 0; p < 2; p++)
#pragma unroll
            for (int q = p + 1; q < 3; q++) {
                if (fabsf(a[p][q]) < 1e-12f) continue;
                float theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), t = copysignf(1.f, theta) / (fabsf(theta) + sqrtf(theta * theta + 1));
                float c = rsqrtf(t * t + 1), s = t * c, g = t * a[p][q];
                const int r = 3 - p - q;
                float u = a[r][p], v = a[r][q];
                a[p][p] -= g, a[q][q] += g, a[p][q] = a[q][p] = 0;
                a[r][p] = a[p][r] = c * u - s * v;
                a[r][q] = a[q][r] = s * u + c * v;
            }
    }
    for (int p = 0; p < 3; p++) out[p * n + i] = a[p][p];
}
// a thread solves its own system with pivots in local memory
template <int N>
__device__ void gauss(int i, int n, const float* m, const float* b, float* x)
{
    float a[N][N + 1];
    for (int p = 0; p < N; p++) {
        for (int q = 0; q < N; q++) a[p][q] = m[(p * N + q) * n + i];
        a[p][N] = b[p * n + i];
    }
    for (int p = 0; p < N; p++) {
        int best = p;
        for (int r = p + 1; r < N; r++)
            if (fabsf(a[r][p]) > fabsf(a[best][p])) best = r;
        for (int q = p; q <= N; q++) {
            float t = a[p][q];
            a[p][q] = a[best][q];
            a[best][q] = t;
        }
        for (int r = p + 1; r < N; r++) {
            float f = a[r][p] / a[p][p];
            for (int q = p; q <= N; q++) a[r][q] -= f * a[p][q];
        }
    }
    for (int p = N - 1; p >= 0; p--) {
        float s = a[p][N];
        for (int q = p + 1; q < N; q++) s -= a[p][q] * x[q * n + i];
        x[p * n + i] = s / a[p][p];
    }
}
KERNEL k_solve_6(int n, const float* m, const float* b, float* x)
{
    int i = AT;
    if (i < n) gauss<6>(i, n, m, b, x);
}
KERNEL k_solve_12(int n, const float* m, const float* b, float* x)
{
    int i = AT;
    if (i < n) gauss<12>(i, n, m, b, x);
}
// reflections of one 32 x 32 matrix a block
KERNEL k_householder(const float* in, float* out)
{
    __shared__ float a[32][33], v[32], beta;
    int t = threadIdx.x;
    for (int r = 0; r < 32; r++) a[r][t] = in[blockIdx.x * 1024 + r * 32 + t];
    for (int k = 0; k < 31; k++) {
        float s = t >= k ? a[t][k] * a[t][k] : 0;
        for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
        float norm = sqrtf(s), head = a[k][k] + copysignf(norm, a[k][k]);
        v[t] = t < k ? 0 : t == k ? head : a[t][k];
        if (t == 0) beta = 2 / (s - a[k][k] * a[k][k] + head * head);
        __syncwarp();
        float d = 0;
        for (int r = k; r < 32; r++) d += v[r] * a[r][t];
        for (int r = k; r < 32; r++) a[r][t] -= beta * d * v[r];
        __syncwarp();
    }
    for (int r = 0; r < 32; r++) out[blockIdx.x * 1024 + r * 32 + t] = a[r][t];
}
// columns of a matrix made orthogonal one after another by one block
KERNEL k_gram_schmidt(int rows, int columns, float* a, float* out)
{
    __shared__ float sum[32];
    for (int j = 0; j < columns; j++) {
        for (int k = 0; k <= j; k++) {
            float s = 0;
            for (int r = threadIdx.x; r < rows; r += blockDim.x) s += a[k * rows + r] * a[j * rows + r];
            for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
            if (threadIdx.x % 32 == 0) sum[threadIdx.x / 32] = s;
            __syncthreads();
            s = 0;
            for (int w = 0; w < blockDim.x / 32; w++) s += sum[w];
            if (k < j)
                for (int r = threadIdx.x; r < rows; r += blockDim.x) out[j * rows + r] = a[j * rows + r] - s * a[k * rows + r];
            else
                for (int r = threadIdx.x; r < rows; r += blockDim.x) out[j * rows + r] *= rsqrtf(s);
            __syncthreads();
        }
    }
}
// 1024 points of a transform in shared memory, radix 2
KERNEL k_fft_1024(const float2* in, float2* out)
{
    __shared__ float2 s[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 512) s[__brev(i) >> 22] = in[blockIdx.x * 1024 + i];
    for (int half = 1; half < 1024; half *= 2) {
        __syncthreads();
        int j = t % half, i = 2 * (t - j) + j;
        float c, d;
        sincospif(-(float)j / half, &d, &c);
        float2 a = s[i], b = s[i + half];
        float2 w = make_float2(b.x * c - b.y * d, b.x * d + b.y * c);
        s[i] = make_float2(a.x + w.x, a.y + w.y);
        s[i + half] = make_float2(a.x - w.x, a.y - w.y);
    }
    __syncthreads();
    for (int i = t; i < 1024; i += 512) out[blockIdx.x * 1024 + i] = s[i];
}
__constant__ float taps[128] = {0.25f, 0.5f};
KERNEL k_fir(int n, int count, const float* x, float* y)
{
    int i = AT;
    if (i >= n - count) return;
    float s = 0;
    for (int k = 0; k < count; k++) s += taps[k] * x[i + k];
    y[i] = s;
}
// a recursive filter: each thread follows one channel
KERNEL k_iir(int channels, int samples, const float* x, float* y)
{
    int c = AT;
    if (c >= channels) return;
    float a = 0, b = 0;
    for (int k = 0; k < samples; k++) {
        float v = x[k * channels + c] - 0.3f * a - 0.2f * b;
        y[k * channels + c] = 0.1f * v + 0.2f * a + 0.1f * b;
        b = a;
        a = v;
    }
}
KERNEL k_haar(int n, const float* x, float* out)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    const float* mine = x + blockIdx.x * n;
    for (int i = t; i < n; i += blockDim.x) s[i] = mine[i];
    for (int m = n / 2; m >= 1; m /= 2) {
        float a[8], d[8];
        __syncthreads();
        int k = 0;
        for (int i = t; i < m; i += blockDim.x, k++) a[k & 7] = s[2 * i] + s[2 * i + 1], d[k & 7] = s[2 * i] - s[2 * i + 1];
        __syncthreads();
        k = 0;
        for (int i = t; i < m; i += blockDim.x, k++) s[i] = 0.7071f * a[k & 7], out[blockIdx.x * n + m + i] = 0.7071f * d[k & 7];
    }
    if (t == 0) out[blockIdx.x * n] = s[0];
}
KERNEL k_spline(int n, int knots, const float* x, const float4* coefficients, float* y)
{
    int i = AT;
    if (i >= n) return;
    float at = (x[i] - 0.5f) * knots;
    int k = min(knots - 1, (int)at);
    float4 c = coefficients[k];
    float d = at - k;
    y[i] = c.x + d * (c.y + d * (c.z + d * c.w));
}
// nuclide tables: find the energy, gather and interpolate (cross sections)
KERNEL k_cross_sections(int lookups, int nuclides, int points, const double* energies, const double* tables, double* out)
{
    int i = AT;
    if (i >= lookups) return;
    U s = i * 747796405u + 5u;
    double e = uniform(s), sum[5] = {};
    int mine = 4 + (int)(uniform(s) * uniform(s) * nuclides);
    for (int k = 0; k < mine; k++) {
        int nuclide = (int)(uniform(s) * nuclides);
        const double* table = energies + (size_t)nuclide * points;
        int low = 0, high = points - 1;
        while (high - low > 1) {
            int m = (low + high) / 2;
            if (table[m] > e) high = m;
            else low = m;
        }
        double f = (table[high] - e) / (table[high] - table[low]);
        const double* c = tables + ((size_t)nuclide * points + low) * 5;
        for (int q = 0; q < 5; q++) sum[q] += f * c[q] + (1 - f) * c[q + 5];
    }
    for (int q = 0; q < 5; q++) out[q * lookups + i] = sum[q];
}
KERNEL k_windowed_poles(int lookups, int poles, const double2* data, double* out)
{
    int i = AT;
    if (i >= lookups) return;
    U s = i * 747796405u + 5u;
    double e = 1 + uniform(s), root = sqrt(e), sum = 0;
    int first = (int)(uniform(s) * (poles - 64));
    for (int k = 0; k < 48; k++) {
        double2 p = data[2 * (first + k)], r = data[2 * (first + k) + 1];
        double re = p.x - root, im = p.y, d = 1 / (re * re + im * im);
        sum += (r.x * re + r.y * im) * d * exp(-0.1 * im);
    }
    out[i] = sum / e;
}
// kinetics of ten species: rates by Arrhenius, many registers
KERNEL k_kinetics(int cells, int steps, float dt, const float* temperature, float* mass)
{
    int i = AT;
    if (i >= cells) return;
    float y[10], t = 1000 * temperature[i];
#pragma unroll
    for (int k = 0; k < 10; k++) y[k] = mass[k * cells + i];
    for (int s = 0; s < steps; s++) {
        float d[10] = {};
#pragma unroll
        for (int r = 0; r < 12; r++) {
            float rate = (1 + r) * expf(-(1500.f + 70 * r) / t) * powf(t * 1e-3f, 0.1f * r) * y[r % 10] * y[(3 * r + 1) % 10];
            d[r % 10] -= rate, d[(3 * r + 1) % 10] -= rate, d[(r + 5) % 10] += rate, d[(2 * r + 2) % 10] += rate;
        }
#pragma unroll
        for (int k = 0; k < 10; k++) y[k] = fmaxf(0.f, y[k] + dt * d[k]);
    }
#pragma unroll
    for (int k = 0; k < 10; k++) mass[k * cells + i] = y[k];
}
