// Numbers: loops that end by data, rejection, number theory, special functions, sampling, ciphers.
#include <cuda_fp16.h>
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
typedef unsigned U;
typedef unsigned long long L;
#include "uniform.cuh"

KERNEL k_mandelbrot(int w, int h, int most, int* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float cx = -2.f + 3.f * x / w, cy = -1.2f + 2.4f * y / h, a = 0, b = 0;
    int k = 0;
    while (k < most && a * a + b * b < 4) {
        float t = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = t;
        k++;
    }
    out[y * w + x] = k;
}
KERNEL k_julia_double(int w, int h, int most, double cx, double cy, unsigned char* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    double a = -1.5 + 3.0 * x / w, b = -1.5 + 3.0 * y / h;
    int k = 0;
    for (; k < most && a * a + b * b <= 4; k++) {
        double t = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = t;
    }
    out[y * w + x] = k;
}
KERNEL k_collatz(int n, int* steps)
{
    int i = AT;
    if (i >= n) return;
    L x = i + 1;
    int k = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        k++;
    }
    steps[i] = k;
}
KERNEL k_gcd(int n, const U* a, const U* b, U* out)
{
    int i = AT;
    if (i >= n) return;
    U x = a[i], y = b[i];
    while (y) {
        U t = x % y;
        x = y;
        y = t;
    }
    out[i] = x;
}
KERNEL k_trial_division(int n, unsigned char* prime)
{
    int i = AT;
    if (i >= n) return;
    bool yes = i > 1;
    for (int d = 2; d * d <= i; d++)
        if (i % d == 0) {
            yes = false;
            break;
        }
    prime[i] = yes;
}
__device__ L times_modulo(L a, L b, L m)
{
    L r = 0;
    while (b) {
        if (b & 1) r = r + a >= m ? r + a - m : r + a;
        a = a + a >= m ? a + a - m : a + a;
        b >>= 1;
    }
    return r;
}
KERNEL k_power_modulo(int n, L m, const U* base, const U* exponent, L* out)
{
    int i = AT;
    if (i >= n) return;
    L r = 1, b = base[i] % m;
    for (U e = exponent[i]; e; e >>= 1) {
        if (e & 1) r = r * b % m;
        b = b * b % m;
    }
    out[i] = r;
}
KERNEL k_miller_rabin(int n, const U* numbers, unsigned char* out)
{
    int i = AT;
    if (i >= n) return;
    L m = numbers[i] | 1;
    L d = m - 1;
    int s = 0;
    while (!(d & 1)) d >>= 1, s++;
    bool prime = true;
    const int witness[3] = {2, 7, 61};
    for (int w = 0; w < 3 && prime; w++) {
        L x = 1, b = witness[w];
        for (L e = d; e; e >>= 1) {
            if (e & 1) x = times_modulo(x, b, m);
            b = times_modulo(b, b, m);
        }
        bool ok = x == 1 || x == m - 1;
        for (int r = 1; r < s && !ok; r++) {
            x = times_modulo(x, x, m);
            ok = x == m - 1;
        }
        prime = ok;
    }
    out[i] = prime;
}
KERNEL k_polar_normals(int per_thread, float* out)
{
    U s = AT * 747796405u + 2891336453u;
    for (int k = 0; k < per_thread; k++) {
        float x, y, r;
        do {
            x = 2 * uniform(s) - 1;
            y = 2 * uniform(s) - 1;
            r = x * x + y * y;
        } while (r >= 1 || r == 0);
        out[k * gridDim.x * blockDim.x + AT] = x * sqrtf(-2 * logf(r) / r);
    }
}
KERNEL k_gamma_samples(int n, const float* shape, float* out)
{
    int i = AT;
    if (i >= n) return;
    U s = i * 747796405u + 12345u;
    float d = shape[i] + 1 - 1.f / 3, c = rsqrtf(9 * d), v;
    for (;;) {
        float r = sqrtf(-2 * logf(uniform(s) + 1e-7f)), x = r * cospif(2 * uniform(s));
        v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (logf(uniform(s) + 1e-7f) < 0.5f * x * x + d - d * v + d * logf(v)) break;
    }
    out[i] = d * v;
}
KERNEL k_newton_cubic(int n, const float* c, float* out)
{
    int i = AT;
    if (i >= n) return;
    float x = 1, a = c[i];
    for (int k = 0; k < 100; k++) {
        float f = x * x * x - x - a, step = f / (3 * x * x - 1);
        x -= step;
        if (fabsf(step) < 1e-6f * fabsf(x)) break;
    }
    out[i] = x;
}
KERNEL k_implied_volatility(int n, const double* price, const double* strike, double* out)
{
    int i = AT;
    if (i >= n) return;
    double low = 0.01, high = 3, s = 1, k = strike[i], p = price[i] * 0.3;
    while (high - low > 1e-8) {
        double v = 0.5 * (low + high), d1 = (log(s / k) + 0.5 * v * v) / v, d2 = d1 - v;
        double call = 0.5 * (s * erfc(-d1 * 0.70710678118) - k * erfc(-d2 * 0.70710678118));
        if (call > p) high = v;
        else low = v;
    }
    out[i] = low;
}
KERNEL k_kepler(int n, const double* anomaly, double e, double* out)
{
    int i = AT;
    if (i >= n) return;
    double m = anomaly[i], x = m;
    for (int k = 0; k < 50; k++) {
        double d = (x - e * sin(x) - m) / (1 - e * cos(x));
        x -= d;
        if (fabs(d) < 1e-12) break;
    }
    out[i] = x;
}
KERNEL k_rk45_adaptive(int n, const float* mu, float end, float* out)
{
    int i = AT;
    if (i >= n) return;
    float m = 4 * mu[i], x = 2, v = 0, t = 0, h = 0.01f;
    while (t < end) {
        float k1x = v, k1v = m * (1 - x * x) * v - x;
        float ax = x + h * k1x, av = v + h * k1v;
        float k2x = av, k2v = m * (1 - ax * ax) * av - ax;
        float ex = 0.5f * h * fabsf(k2x - k1x), ev = 0.5f * h * fabsf(k2v - k1v), e = fmaxf(ex, ev) / 1e-4f;
        if (e <= 1) {
            t += h;
            x += 0.5f * h * (k1x + k2x);
            v += 0.5f * h * (k1v + k2v);
        }
        h *= fminf(2.f, fmaxf(0.2f, 0.9f * rsqrtf(e + 1e-6f)));
        h = fminf(h, end - t + 1e-7f);
    }
    out[i] = x;
}
KERNEL k_lorenz(int n, int steps, double h, double* x)
{
    int i = AT;
    if (i >= n) return;
    double a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
    for (int k = 0; k < steps; k++) {
        double da = 10 * (b - a), db = a * (28 - c) - b, dc = a * b - 8.0 / 3 * c;
        double a2 = a + 0.5 * h * da, b2 = b + 0.5 * h * db, c2 = c + 0.5 * h * dc;
        a += h * 10 * (b2 - a2);
        b += h * (a2 * (28 - c2) - b2);
        c += h * (a2 * b2 - 8.0 / 3 * c2);
    }
    x[3 * i] = a, x[3 * i + 1] = b, x[3 * i + 2] = c;
}
KERNEL k_slab_transport(int n, int most, float absorb, int* bins)
{
    int i = AT;
    if (i >= n) return;
    U s = i * 2654435761u + 17u;
    float x = 0, mu = 1;
    for (int k = 0; k < most; k++) {
        x += mu * -logf(uniform(s) + 1e-8f);
        if (x < 0 || x >= 10) break;
        if (uniform(s) < absorb) {
            atomicAdd(&bins[(int)(x * 100)], 1);
            break;
        }
        mu = 2 * uniform(s) - 1;
    }
}
KERNEL k_heston(int paths, int steps, double* out)
{
    int i = AT;
    if (i >= paths) return;
    U s = i * 747796405u + 1u;
    double price = 100, v = 0.04, dt = 1.0 / steps;
    for (int k = 0; k < steps; k++) {
        double r = sqrt(-2 * log((double)uniform(s) + 1e-9)), a = 6.283185307 * uniform(s), z1 = r * cos(a), z2 = r * sin(a);
        double root = sqrt(fmax(v, 0.0) * dt);
        price *= exp(-0.5 * v * dt + root * z1);
        v += 1.5 * (0.04 - v) * dt + 0.3 * root * (-0.7 * z1 + 0.714 * z2);
    }
    out[i] = fmax(price - 100, 0.0);
}
KERNEL k_inverse_normal(int n, const U* bits, float* out)
{
    int i = AT;
    if (i < n) out[i] = normcdfinvf((bits[i] + 0.5f) * 2.3283064e-10f);
}
KERNEL k_lgamma(int n, const double* x, double* out)
{
    int i = AT;
    if (i < n) out[i] = lgamma(7 * x[i]);
}
KERNEL k_bessel(int n, const float* x, float* out)
{
    int i = AT;
    if (i < n) out[i] = j0f(12 * x[i]) + j1f(3 * x[i]);
}
KERNEL k_sine_large(int n, float scale, const float* x, float* out)
{
    int i = AT;
    if (i < n) out[i] = sinf(scale * x[i]) + cosf(x[i]);
}
KERNEL k_power_double(int n, const double* x, const double* y, double* out)
{
    int i = AT;
    if (i < n) out[i] = pow(x[i], y[i]) + cbrt(x[i]);
}
KERNEL k_angles_double(int n, const double* x, const double* y, double* out)
{
    int i = AT;
    if (i < n) out[i] = atan2(y[i], x[i]) + hypot(x[i], y[i]) + asin(0.5 * x[i]);
}
KERNEL k_remainders(int n, const float* x, const float* y, float* out)
{
    int i = AT;
    if (i < n) out[i] = fmodf(1000 * x[i], y[i]) + remainderf(50 * y[i], x[i]);
}
KERNEL k_divide_64(int n, const L* a, const U* b, L* out)
{
    int i = AT;
    if (i < n) out[i] = a[i] / (b[i] + 1) + a[i] % 1000003;
}
KERNEL k_dates(int n, const int* seconds, int* out)
{
    int i = AT;
    if (i >= n) return;
    int days = seconds[i] / 86400, z = days + 719468, era = z / 146097, doe = z - era * 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    out[i] = (yoe + era * 400) * 10000 + (mp < 10 ? mp + 3 : mp - 9) * 100 + doy - (153 * mp + 2) / 5 + 1;
}
__device__ U turn(U x, int k) { return x << k | x >> (32 - k); }
KERNEL k_chacha(int blocks, const U* key, const uint4* in, uint4* out)
{
    int i = AT;
    if (i >= blocks) return;
    U s[16], x[16];
    s[0] = 0x61707865, s[1] = 0x3320646e, s[2] = 0x79622d32, s[3] = 0x6b206574;
    for (int k = 0; k < 8; k++) s[4 + k] = key[k];
    s[12] = i, s[13] = 0, s[14] = key[8], s[15] = key[9];
    for (int k = 0; k < 16; k++) x[k] = s[k];
#define Q(a, b, c, d) x[a] += x[b], x[d] = turn(x[d] ^ x[a], 16), x[c] += x[d], x[b] = turn(x[b] ^ x[c], 12), x[a] += x[b], x[d] = turn(x[d] ^ x[a], 8), x[c] += x[d], x[b] = turn(x[b] ^ x[c], 7);
    for (int r = 0; r < 10; r++) {
        Q(0, 4, 8, 12) Q(1, 5, 9, 13) Q(2, 6, 10, 14) Q(3, 7, 11, 15)
        Q(0, 5, 10, 15) Q(1, 6, 11, 12) Q(2, 7, 8, 13) Q(3, 4, 9, 14)
    }
    for (int k = 0; k < 4; k++) {
        uint4 m = in[4 * i + k];
        out[4 * i + k] = make_uint4(m.x ^ (x[4 * k] + s[4 * k]), m.y ^ (x[4 * k + 1] + s[4 * k + 1]), m.z ^ (x[4 * k + 2] + s[4 * k + 2]), m.w ^ (x[4 * k + 3] + s[4 * k + 3]));
    }
}
__constant__ L round_constant[24] = {
    1, 0x8082, 0x800000000000808a, 0x8000000080008000, 0x808b, 0x80000001, 0x8000000080008081, 0x8000000000008009,
    0x8a, 0x88, 0x80008009, 0x8000000a, 0x8000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x80000001, 0x8000000080008008};
KERNEL k_keccak(int n, const L* in, L* out)
{
    int i = AT;
    if (i >= n) return;
    L a[25], b[25], c[5];
#pragma unroll
    for (int k = 0; k < 25; k++) a[k] = k < 17 ? in[k * n + i] : 0;
    for (int r = 0; r < 24; r++) {
#pragma unroll
        for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
        for (int x = 0; x < 5; x++) {
            L d = c[(x + 4) % 5] ^ (c[(x + 1) % 5] << 1 | c[(x + 1) % 5] >> 63);
#pragma unroll
            for (int y = 0; y < 25; y += 5) a[x + y] ^= d;
        }
#pragma unroll
        for (int x = 0; x < 5; x++)
#pragma unroll
            for (int y = 0; y < 5; y++) {
                const int by = (x * 36 + y * 44 + x * y * 7 + 1) % 63 + 1;
                b[y + 5 * ((2 * x + 3 * y) % 5)] = a[x + 5 * y] << by | a[x + 5 * y] >> (64 - by);
            }
#pragma unroll
        for (int y = 0; y < 25; y += 5)
#pragma unroll
            for (int x = 0; x < 5; x++) a[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & b[(x + 2) % 5 + y]);
        a[0] ^= round_constant[r];
    }
    for (int k = 0; k < 4; k++) out[k * n + i] = a[k];
}
KERNEL k_montgomery(int n, int rounds, const U* modulus, U inverse, const U* a, U* out)
{
    int i = AT;
    if (i >= n) return;
    U x[8], m[8];
    for (int k = 0; k < 8; k++) x[k] = a[k * n + i], m[k] = modulus[k];
    for (int r = 0; r < rounds; r++) {
        U t[9] = {};
#pragma unroll
        for (int p = 0; p < 8; p++) {
            L carry = 0;
#pragma unroll
            for (int q = 0; q < 8; q++) {
                carry += (L)x[p] * x[q] + t[q];
                t[q] = carry;
                carry >>= 32;
            }
            L top = carry + t[8];
            U u = t[0] * inverse;
            carry = ((L)u * m[0] + t[0]) >> 32;
#pragma unroll
            for (int q = 1; q < 8; q++) {
                carry += (L)u * m[q] + t[q];
                t[q - 1] = carry;
                carry >>= 32;
            }
            carry += top;
            t[7] = carry;
            t[8] = carry >> 32;
        }
#pragma unroll
        for (int q = 0; q < 8; q++) x[q] = t[q];
    }
    for (int k = 0; k < 8; k++) out[k * n + i] = x[k];
}
KERNEL k_password(U target, int length, U first, U* found)
{
    U index = first + AT, a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, word = 0;
    for (int k = 0; k < length; k++) {
        word = word << 8 | ('a' + index % 26);
        index /= 26;
    }
    for (int r = 0; r < 64; r++) {
        U f = r < 16 ? (b & c) | (~b & d) : r < 32 ? (d & b) | (~d & c) : r < 48 ? b ^ c ^ d : c ^ (b | ~d);
        U t = d;
        d = c;
        c = b;
        b += turn(a + f + 0x5a827999u * (r + 1) + (r % 16 ? 0 : word), 7 + 5 * (r & 3));
        a = t;
    }
    if (a + 0x67452301 == target) atomicMin(found, first + AT);
}
// 3 x 3 symmetric eigenvalues by Jacobi rotations until the rest is small
