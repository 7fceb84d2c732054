// Two layers of a network in half precision: products by wmma with bias and activation, then rows that are normalised.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "digest.h"

using namespace nvcuda;
constexpr int TILE = 64, DEPTH = 32;

__device__ float activated(float x) { return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

// C = activation(A B + bias); A of rows x depth, B of depth x columns, both by rows
__global__ void __launch_bounds__(128) layer(const half* a, const half* b, const float* bias, half* c, int columns, int depth) {
    __shared__ half left[TILE][DEPTH + 8], right[DEPTH][TILE + 8];
    __shared__ float out[TILE][TILE + 4];
    const int warp = threadIdx.x / 32, row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4];
    for (auto& sum : sums) wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < depth; k += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += 128) {
            const int y = i / (DEPTH / 8), x = i % (DEPTH / 8) * 8;
            *reinterpret_cast<int4*>(&left[y][x]) = *reinterpret_cast<const int4*>(&a[size_t(row + y) * depth + k + x]);
        }
        for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += 128) {
            const int y = i / (TILE / 8), x = i % (TILE / 8) * 8;
            *reinterpret_cast<int4*>(&right[y][x]) = *reinterpret_cast<const int4*>(&b[size_t(k + y) * columns + column + x]);
        }
        __syncthreads();
        for (int inner = 0; inner < DEPTH; inner += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> own;
            wmma::load_matrix_sync(own, &left[warp * 16][inner], DEPTH + 8);
            for (int part = 0; part < 4; ++part) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> other;
                wmma::load_matrix_sync(other, &right[inner][part * 16], TILE + 8);
                wmma::mma_sync(sums[part], own, other, sums[part]);
            }
        }
        __syncthreads();
    }
    for (int part = 0; part < 4; ++part)
        wmma::store_matrix_sync(&out[warp * 16][part * 16], sums[part], TILE + 4, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * TILE / 2; i += 128) {
        const int y = i / (TILE / 2), x = i % (TILE / 2) * 2;
        const float2 shift = *reinterpret_cast<const float2*>(&bias[column + x]);
        const half2 value = __floats2half2_rn(activated(out[y][x] + shift.x), activated(out[y][x + 1] + shift.y));
        *reinterpret_cast<half2*>(&c[size_t(row + y) * columns + column + x]) = value;
    }
}
__global__ void softmax(const half* from, __nv_bfloat16* to, int columns) {  // one warp a row
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const half2* own = reinterpret_cast<const half2*>(from + size_t(row) * columns);
    float most = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < columns / 2; i += 32) most = fmaxf(most, fmaxf(__low2float(own[i]), __high2float(own[i])));
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    for (int i = threadIdx.x; i < columns / 2; i += 32) sum += __expf(__low2float(own[i]) - most) + __expf(__high2float(own[i]) - most);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    for (int i = threadIdx.x; i < columns / 2; i += 32) {
        const float2 value = __half22float2(own[i]);
        reinterpret_cast<__nv_bfloat162*>(to + size_t(row) * columns)[i] =
            __floats2bfloat162_rn(__expf(value.x - most) / sum, __expf(value.y - most) / sum);
    }
}

int main() {
    const int rows = 512, inner = 512, hidden = 1024, columns = 512;
    Random random(31);
    std::vector<half> x(rows * inner), first(inner * hidden), second(hidden * columns);
    std::vector<float> bias(hidden);
    for (auto& value : x) value = __float2half(random.real() - 0.5f);
    for (auto& value : first) value = __float2half(0.2f * (random.real() - 0.5f));
    for (auto& value : second) value = __float2half(0.2f * (random.real() - 0.5f));
    for (auto& value : bias) value = random.real() - 0.5f;
    auto moved = [](const auto& from) {
        using T = typename std::decay_t<decltype(from)>::value_type;
        T* to;
        CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
        CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
        return to;
    };
    half *d_x = moved(x), *d_first = moved(first), *d_second = moved(second), *middle, *out;
    float* d_bias = moved(bias);
    __nv_bfloat16* shares;
    CHECK(cudaMalloc(&middle, rows * hidden * 2));
    CHECK(cudaMalloc(&out, rows * columns * 2));
    CHECK(cudaMalloc(&shares, rows * columns * 2));
    Elapsed elapsed;
    layer<<<dim3(hidden / TILE, rows / TILE), 128>>>(d_x, d_first, d_bias, middle, hidden, inner);
    layer<<<dim3(columns / TILE, rows / TILE), 128>>>(middle, d_second, d_bias, out, columns, hidden);
    softmax<<<rows / 4, dim3(32, 4)>>>(out, shares, columns);
    elapsed.print();
    std::vector<__nv_bfloat16> result(rows * columns);
    CHECK(cudaMemcpy(result.data(), shares, rows * columns * 2, cudaMemcpyDeviceToHost));
    auto gelu = [](double v) { return 0.5 * v * (1 + tanh(0.79788456 * (v + 0.044715 * v * v * v))); };
    bool right = true;
    for (int row = 0; row < rows; row += 61) {
        std::vector<double> own(hidden), last(columns);
        double sum = 0;
        for (int j = 0; j < hidden; ++j) {
            double value = bias[j];
            for (int k = 0; k < inner; ++k) value += double(__half2float(x[row * inner + k])) * __half2float(first[k * hidden + j]);
            own[j] = __half2float(__float2half(gelu(value)));
        }
        for (int j = 0; j < columns; ++j) {
            double value = bias[j];
            for (int k = 0; k < hidden; ++k) value += own[k] * __half2float(second[k * columns + j]);
            sum += exp(last[j] = __half2float(__float2half(gelu(value))));
        }
        for (int j = 0; j < columns; ++j) right &= near(__bfloat162float(result[row * columns + j]), exp(last[j]) / sum, 0.02);
    }
    digest("shares", result.data(), result.size() * 2);
    return verdict(right, "wmma_layers");
}
