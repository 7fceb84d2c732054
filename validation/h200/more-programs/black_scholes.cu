// Prices of European options, in the manner of CUDA's BlackScholes.
#include "../programs/check.h"
__host__ __device__ inline float normal(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float tail = 0.39894228f * expf(-0.5f * d * d) *
                       (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}
__host__ __device__ inline void price(float s, float x, float t, float& call, float& put) {
    const float r = 0.02f, v = 0.3f, root = sqrtf(t);
    const float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root, later = expf(-r * t);
    call = s * normal(d1) - x * later * normal(d2);
    put = x * later * (1.0f - normal(d2)) - s * (1.0f - normal(d1));
}
__global__ void __launch_bounds__(128) options(float2* call, float2* put, const float2* s, const float2* x, const float2* t, int pairs) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    float2 c, p;
    price(s[i].x, x[i].x, t[i].x, c.x, p.x);
    price(s[i].y, x[i].y, t[i].y, c.y, p.y);
    call[i] = c, put[i] = p;
}
int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 21;
    Random random(5);
    std::vector<float> s(n), x(n), t(n), call(n), put(n);
    for (int i = 0; i < n; ++i) s[i] = 5 + 25 * random.real(), x[i] = 1 + 99 * random.real(), t[i] = 0.25f + 9.75f * random.real();
    float* d[5];
    for (auto& p : d) CHECK(cudaMalloc(&p, n * 4));
    CHECK(cudaMemcpy(d[0], s.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[1], x.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[2], t.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int k = 0; k < 4; ++k)
        options<<<(n / 2 + 127) / 128, 128>>>((float2*)d[3], (float2*)d[4], (float2*)d[0], (float2*)d[1], (float2*)d[2], n / 2);
    CHECK(cudaGetLastError());
    elapsed.print();
    CHECK(cudaMemcpy(call.data(), d[3], n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(put.data(), d[4], n * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; i += 17) {
        float c, p;
        price(s[i], x[i], t[i], c, p);
        right = right && fabs(c - call[i]) < 1e-3 && fabs(p - put[i]) < 1e-3;
    }
    return verdict(right, "black_scholes");
}
