// In the manner of Rodinia's backprop: a layer forward by partial sums of 16 inputs, and its weights adjusted.
#include "../programs/check.h"
constexpr int B = 16, IN = 65536, HID = 16;
__global__ void layer_forward(const float* input, float* weights, float* partial) {
    const int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y, index = (HID + 1) * B * by + (HID + 1) * ty + tx + 1 + HID + 1;
    __shared__ float node[B], matrix[B][B];
    if (tx == 0) node[ty] = input[B * by + ty + 1];
    __syncthreads();
    matrix[ty][tx] = weights[index];
    __syncthreads();
    matrix[ty][tx] *= node[ty];
    __syncthreads();
    for (int i = 1; i <= __log2f(B); ++i) {
        const int two = __powf(2, i);
        if (ty % two == 0) matrix[ty][tx] += matrix[ty + two / 2][tx];
        __syncthreads();
    }
    weights[index] = matrix[ty][tx];
    __syncthreads();
    if (tx == 0) partial[by * HID + ty] = matrix[tx][ty];
}
__global__ void adjust_weights(const float* delta, const float* layer, float* w, float* old) {
    const int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y, index = (HID + 1) * B * by + (HID + 1) * ty + tx + 1 + HID + 1;
    const int y = B * by + ty + 1, x = tx + 1;
    const float step = 0.3f * delta[x] * layer[y] + 0.3f * old[index];
    w[index] += step;
    old[index] = step;
    __syncthreads();
    if (ty == 0 && by == 0) {
        const float first = 0.3f * delta[x] + 0.3f * old[x];
        w[x] += first;
        old[x] = first;
    }
}
int main() {
    const size_t n = size_t(IN + 1) * (HID + 1);
    std::vector<float> in(IN + 1), w(n), delta(HID + 1), old(n), partial(IN / B * HID);
    Random random(7);
    for (auto& v : in) v = random.real();
    for (auto& v : w) v = random.real();
    for (auto& v : old) v = random.real();
    for (auto& v : delta) v = random.real();
    float *din, *dw, *dp, *dd, *dold;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&din, in.size() * 4)); CHECK(cudaMalloc(&dw, n * 4)); CHECK(cudaMalloc(&dp, partial.size() * 4));
    CHECK(cudaMalloc(&dd, delta.size() * 4)); CHECK(cudaMalloc(&dold, n * 4));
    CHECK(cudaMemcpy(din, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dw, w.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dd, delta.data(), delta.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dold, old.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    layer_forward<<<dim3(1, IN / B), dim3(B, B)>>>(din, dw, dp);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(partial.data(), dp, partial.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(dw, w.data(), n * 4, cudaMemcpyHostToDevice));
    adjust_weights<<<dim3(1, IN / B), dim3(B, B)>>>(dd, din, dw, dold);
    elapsed.print();
    std::vector<float> got(n);
    CHECK(cudaMemcpy(got.data(), dw, n * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int j = 1; j <= HID; ++j) {
        double sum = 0, want = 0;
        for (int k = 0; k < IN / B; ++k) sum += partial[k * HID + j - 1];
        for (int k = 1; k <= IN; ++k) want += w[k * (HID + 1) + j] * in[k];
        right = right && near(sum, want, 1e-5);
        for (int k = 0; k <= IN; ++k) {
            const size_t at = size_t(k) * (HID + 1) + j;
            right = right && near(got[at], w[at] + (0.3f * delta[j] * (k ? in[k] : 1) + 0.3f * old[at]), 1e-5);
        }
    }
    return verdict(right, "backprop");
}
