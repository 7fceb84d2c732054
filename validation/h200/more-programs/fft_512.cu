// Many transforms of 512 points, radix 8 with exchanges through shared memory, in the manner of SHOC's FFT.
#include "../programs/check.h"
#include <complex>
__device__ inline float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 sub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ inline float2 turned(float2 a) { return make_float2(a.y, -a.x); }
__device__ void four(float2& a, float2& b, float2& c, float2& d) {
    const float2 p = add(a, c), q = sub(a, c), r = add(b, d), s = turned(sub(b, d));
    a = add(p, r), b = add(q, s), c = sub(p, r), d = sub(q, s);
}
__device__ void eight(float2* v) {
    const float h = 0.70710678f;
    four(v[0], v[2], v[4], v[6]);
    four(v[1], v[3], v[5], v[7]);
    const float2 b1 = mul(v[3], make_float2(h, -h)), b2 = turned(v[5]), b3 = mul(v[7], make_float2(-h, -h)), b0 = v[1];
    const float2 a0 = v[0], a1 = v[2], a2 = v[4], a3 = v[6];
    v[0] = add(a0, b0), v[4] = sub(a0, b0), v[1] = add(a1, b1), v[5] = sub(a1, b1);
    v[2] = add(a2, b2), v[6] = sub(a2, b2), v[3] = add(a3, b3), v[7] = sub(a3, b3);
}
__device__ void twist(float2* v, int k, int n) {
#pragma unroll
    for (int i = 1; i < 8; ++i) {
        float s, c;
        sincosf(-6.28318531f * i * k / n, &s, &c);
        v[i] = mul(v[i], make_float2(c, s));
    }
}
__global__ void transform(float2* data) {
    __shared__ float2 s[512];
    const int t = threadIdx.x;
    float2* own = data + blockIdx.x * 512;
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = own[t + i * 64];
    eight(v);
    twist(v, t, 512);
#pragma unroll
    for (int i = 0; i < 8; ++i) s[i * 64 + t] = v[i];
    __syncthreads();
    const int group = t / 8, lane = t % 8;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = s[group * 64 + i * 8 + lane];
    eight(v);
    twist(v, lane, 64);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) s[group * 64 + i * 8 + lane] = v[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = s[group * 64 + lane * 8 + i];
    eight(v);
#pragma unroll
    for (int i = 0; i < 8; ++i) own[group + lane * 8 + i * 64] = v[i];
}
int main() {
    const int many = 4096;
    Random random(9);
    std::vector<float2> in(many * 512), got(many * 512);
    for (auto& v : in) v = make_float2(random.real() - 0.5f, random.real() - 0.5f);
    float2* d;
    CHECK(cudaMalloc(&d, many * 4096));
    bool right = true;
    Elapsed elapsed;
    for (int k = 0; k < 2; ++k) {
        CHECK(cudaMemcpy(d, in.data(), many * 4096, cudaMemcpyHostToDevice));
        transform<<<many, 64>>>(d);
    }
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), d, many * 4096, cudaMemcpyDeviceToHost));
    for (int b = 0; b < many; b += 1111)
        for (int f = 0; f < 512; f += 5) {
            std::complex<double> sum = 0;
            for (int i = 0; i < 512; ++i)
                sum += std::complex<double>(in[b * 512 + i].x, in[b * 512 + i].y) * std::polar(1.0, -2 * M_PI * (f * i % 512) / 512);
            right = right && fabs(sum.real() - got[b * 512 + f].x) < 1e-3 && fabs(sum.imag() - got[b * 512 + f].y) < 1e-3;
        }
    return verdict(right, "fft_512");
}
