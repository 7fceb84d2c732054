// A separable filter of radius 8, in the manner of CUDA's convolutionSeparable.
#include "../programs/check.h"
constexpr int R = 8;
__constant__ float weights[2 * R + 1];
__global__ void rows(float* out, const float* in, int w, int h) {
    __shared__ float tile[4][16 * 8 + 2 * 16];
    const int x0 = blockIdx.x * 128 - 16, y = blockIdx.y * 4 + threadIdx.y;
    for (int k = 0; k < 10; ++k) {
        const int x = x0 + k * 16 + threadIdx.x;
        tile[threadIdx.y][k * 16 + threadIdx.x] = x >= 0 && x < w ? in[y * w + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 1; k < 9; ++k) {
        float sum = 0;
#pragma unroll
        for (int j = -R; j <= R; ++j) sum += weights[R - j] * tile[threadIdx.y][k * 16 + threadIdx.x + j];
        out[y * w + x0 + k * 16 + threadIdx.x] = sum;
    }
}
__global__ void columns(float* out, const float* in, int w, int h) {
    __shared__ float tile[16][10 * 8 + 1];
    const int x = blockIdx.x * 16 + threadIdx.x, y0 = blockIdx.y * 64 - 8;
    for (int k = 0; k < 10; ++k) {
        const int y = y0 + k * 8 + threadIdx.y;
        tile[threadIdx.x][k * 8 + threadIdx.y] = y >= 0 && y < h ? in[y * w + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 1; k < 9; ++k) {
        float sum = 0;
#pragma unroll
        for (int j = -R; j <= R; ++j) sum += weights[R - j] * tile[threadIdx.x][k * 8 + threadIdx.y + j];
        out[(y0 + k * 8 + threadIdx.y) * w + x] = sum;
    }
}
int main() {
    const int w = 1536, h = 1024;
    Random random(6);
    std::vector<float> in(w * h), got(w * h), middle(w * h);
    float k[2 * R + 1];
    for (auto& v : k) v = random.real();
    for (auto& v : in) v = random.next() % 16;
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, w * h * 4)); CHECK(cudaMalloc(&b, w * h * 4)); CHECK(cudaMalloc(&c, w * h * 4));
    CHECK(cudaMemcpyToSymbol(weights, k, sizeof k));
    CHECK(cudaMemcpy(a, in.data(), w * h * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int n = 0; n < 3; ++n) {
        rows<<<dim3(w / 128, h / 4), dim3(16, 4)>>>(b, a, w, h);
        columns<<<dim3(w / 16, h / 64), dim3(16, 8)>>>(c, b, w, h);
    }
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), c, w * h * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float sum = 0;
            for (int j = -R; j <= R; ++j)
                if (x + j >= 0 && x + j < w) sum += k[R - j] * in[y * w + x + j];
            middle[y * w + x] = sum;
        }
    for (int y = 0; y < h; y += 13)
        for (int x = 0; x < w; x += 7) {
            float sum = 0;
            for (int j = -R; j <= R; ++j)
                if (y + j >= 0 && y + j < h) sum += k[R - j] * middle[(y + j) * w + x];
            right = right && near(sum, got[y * w + x], 1e-4);
        }
    return verdict(right, "separable_filter");
}
