// Layer norm, softmax, GELU and a fused optimiser step, in the manner of llm.c and HeCBench.
#include "../programs/check.h"
__global__ void layer_norm(float* out, const float* in, const float* gain, const float* bias, int width) {
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* x = in + row * width;
    float sum = 0, squares = 0;
    for (int i = lane; i < width; i += 32) sum += x[i], squares += x[i] * x[i];
    for (int s = 16; s; s /= 2) sum += __shfl_xor_sync(~0u, sum, s), squares += __shfl_xor_sync(~0u, squares, s);
    const float mean = sum / width, scale = rsqrtf(squares / width - mean * mean + 1e-5f);
    for (int i = lane; i < width; i += 32) out[row * width + i] = (x[i] - mean) * scale * gain[i] + bias[i];
}
__global__ void softmax(float* out, const float* in, int width) {
    __shared__ float parts[32];
    const float* x = in + blockIdx.x * width;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    float most = -1e30f, sum = 0;
    for (int i = t; i < width; i += blockDim.x) most = fmaxf(most, x[i]);
    for (int s = 16; s; s /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, s));
    if (lane == 0) parts[warp] = most;
    __syncthreads();
    most = parts[0];
    for (int i = 1; i < blockDim.x / 32; ++i) most = fmaxf(most, parts[i]);
    __syncthreads();
    for (int i = t; i < width; i += blockDim.x) sum += expf(x[i] - most);
    for (int s = 16; s; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    sum = parts[0];
    for (int i = 1; i < blockDim.x / 32; ++i) sum += parts[i];
    for (int i = t; i < width; i += blockDim.x) out[blockIdx.x * width + i] = expf(x[i] - most) / sum;
}
__global__ void gelu(float4* out, const float4* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    float* p = &v.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) p[k] = 0.5f * p[k] * (1 + tanhf(0.7978845608f * (p[k] + 0.044715f * p[k] * p[k] * p[k])));
    out[i] = v;
}
__global__ void adam(float* weight, const float* gradient, float* m, float* v, int n, float rate, float c1, float c2) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float g = gradient[i];
    const float a = m[i] = 0.9f * m[i] + 0.1f * g, b = v[i] = 0.999f * v[i] + 0.001f * g * g;
    weight[i] -= rate * (a / c1 / (sqrtf(b / c2) + 1e-8f) + 0.01f * weight[i]);
}
int main() {
    const int rows = 2048, width = 768, n = rows * width;
    Random random(13);
    std::vector<float> x(n), got(n), gain(width), bias(width), normal(n);
    for (auto& v : x) v = 4 * random.real() - 2;
    for (int i = 0; i < width; ++i) gain[i] = random.real(), bias[i] = random.real();
    float* d[7];
    for (auto& p : d) { CHECK(cudaMalloc(&p, n * 4)); CHECK(cudaMemset(p, 0, n * 4)); }
    CHECK(cudaMemcpy(d[0], x.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[5], gain.data(), width * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(d[6], bias.data(), width * 4, cudaMemcpyHostToDevice));
    bool right = true;
    Elapsed elapsed;
    for (int k = 0; k < 2; ++k) {
        layer_norm<<<rows / 8, 256>>>(d[1], d[0], d[5], d[6], width);
        softmax<<<rows, 256>>>(d[2], d[1], width);
        gelu<<<(n / 4 + 255) / 256, 256>>>((float4*)d[3], (float4*)d[2], n / 4);
        adam<<<(n + 511) / 512, 512>>>(d[0], d[3], d[4], d[2], n, k ? 0.0f : 1e-3f, 0.1f, 0.001f);
        if (k) break;
        CHECK(cudaMemcpy(d[0], x.data(), n * 4, cudaMemcpyHostToDevice));
    }
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), d[3], n * 4, cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; r += 37) {
        double sum = 0, squares = 0, most = -1e30, total = 0;
        std::vector<double> y(width);
        for (int i = 0; i < width; ++i) sum += x[r * width + i], squares += (double)x[r * width + i] * x[r * width + i];
        const double mean = sum / width, scale = 1 / sqrt(squares / width - mean * mean + 1e-5);
        for (int i = 0; i < width; ++i) y[i] = (x[r * width + i] - mean) * scale * gain[i] + bias[i], most = fmax(most, y[i]);
        for (auto& v : y) v = exp(v - most), total += v;
        for (int i = 0; i < width; ++i) {
            const double p = y[i] / total, want = 0.5 * p * (1 + tanh(0.7978845608 * (p + 0.044715 * p * p * p)));
            right = right && near(want, got[r * width + i], 1e-3);
        }
    }
    return verdict(right, "transformer_parts");
}
