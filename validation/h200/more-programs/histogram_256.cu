// A histogram of bytes with one part for each warp, and their sums, in the manner of CUDA's histogram.
#include "../programs/check.h"
constexpr int WARPS = 6;
__global__ void parts(unsigned* out, const uint4* in, int n) {
    __shared__ unsigned bins[WARPS][256];
    for (int i = threadIdx.x; i < WARPS * 256; i += blockDim.x) bins[0][i] = 0;
    __syncthreads();
    unsigned* own = bins[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uint4 v = in[i];
        for (unsigned word : {v.x, v.y, v.z, v.w})
#pragma unroll
            for (int k = 0; k < 4; ++k) atomicAdd(own + (word >> 8 * k & 255), 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        unsigned sum = 0;
        for (int k = 0; k < WARPS; ++k) sum += bins[k][i];
        out[blockIdx.x * 256 + i] = sum;
    }
}
__global__ void sums(unsigned* out, const unsigned* in, int count) {
    __shared__ unsigned all[256];
    unsigned sum = 0;
    for (int i = threadIdx.x; i < count; i += 256) sum += in[blockIdx.x + i * 256];
    all[threadIdx.x] = sum;
    for (int step = 128; step; step >>= 1) {
        __syncthreads();
        if (threadIdx.x < step) all[threadIdx.x] += all[threadIdx.x + step];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = all[0];
}
int main() {
    const int n = 8 << 20, blocks = 240;
    Random random(7);
    std::vector<unsigned char> data(n);
    std::vector<unsigned> want(256), got(256);
    for (auto& v : data) v = random.next(), ++want[v];
    unsigned *in, *some, *out;
    CHECK(cudaMalloc(&in, n)); CHECK(cudaMalloc(&some, blocks * 1024)); CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemcpy(in, data.data(), n, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int k = 0; k < 3; ++k) {
        parts<<<blocks, WARPS * 32>>>(some, (uint4*)in, n / 16);
        sums<<<256, 256>>>(out, some, blocks);
    }
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), out, 1024, cudaMemcpyDeviceToHost));
    return verdict(got == want, "histogram_256");
}
