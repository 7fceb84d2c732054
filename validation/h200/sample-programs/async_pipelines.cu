// In the manner of CUDA's globalToShmemAsyncCopy, simpleAWBarrier and streamOrderedAllocation: cuda::pipeline and barrier.
#include "../programs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
constexpr int B = 16, N = 256;
__global__ void multiply(float* c, const float* a, const float* b) {
    __shared__ alignas(16) float sa[2][B][B], sb[2][B][B];
    auto block = cg::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * B + ty, col = blockIdx.x * B + tx;
    auto fetch = [&](int k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&sa[k % 2][ty][tx], &a[row * N + k * B + tx], sizeof(float), pipe);
        cuda::memcpy_async(&sb[k % 2][ty][tx], &b[(k * B + ty) * N + col], sizeof(float), pipe);
        pipe.producer_commit();
    };
    float sum = 0;
    fetch(0);
    for (int k = 0; k < N / B; ++k) {
        if (k + 1 < N / B) fetch(k + 1);
        pipe.consumer_wait();
        block.sync();
        for (int i = 0; i < B; ++i) sum += sa[k % 2][ty][i] * sb[k % 2][i][tx];
        block.sync();
        pipe.consumer_release();
    }
    c[row * N + col] = sum;
}
__global__ void normalise(const float* in, float* out, double* total) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ double sums[8];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = in[i];
    for (int k = 16; k; k /= 2) sum += warp.shfl_down(sum, k);
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
    auto token = bar.arrive();
    const float own = in[i] * 2;
    bar.wait(std::move(token));
    double all = 0;
    for (int k = 0; k < 8; ++k) all += sums[k];
    out[i] = own / float(all);
    if (threadIdx.x == 0) atomicAdd(total, all);
}
__global__ void staged(const int4* in, int4* out, int n) {
    __shared__ alignas(16) int4 tile[128];
    auto block = cg::this_thread_block();
    for (int base = blockIdx.x * 128; base < n; base += gridDim.x * 128) {
        cg::memcpy_async(block, tile, in + base, sizeof(int4) * 128);
        cg::wait(block);
        int4 v = tile[127 - threadIdx.x];
        v.x += 1;
        out[base + threadIdx.x] = v;
        block.sync();
    }
}
int main() {
    std::vector<float> a(N * N), b(N * N), c(N * N);
    Random random(43);
    for (auto& v : a) v = random.real();
    for (auto& v : b) v = random.real();
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long keep = ~0ull;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    float *da, *db, *dc; double* dt;
    for (float** p : {&da, &db, &dc}) CHECK(cudaMallocAsync(p, N * N * 4, stream));
    CHECK(cudaMallocAsync(&dt, 8, stream));
    CHECK(cudaMemcpyAsync(da, a.data(), N * N * 4, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(db, b.data(), N * N * 4, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(dt, 0, 8, stream));
    multiply<<<dim3(N / B, N / B), dim3(B, B), 0, stream>>>(dc, da, db);
    CHECK(cudaMemcpyAsync(c.data(), dc, N * N * 4, cudaMemcpyDeviceToHost, stream));
    normalise<<<N * N / 256, 256, 0, stream>>>(da, dc, dt);
    double total = 0, want = 0;
    CHECK(cudaMemcpyAsync(&total, dt, 8, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    bool right = true;
    for (int i = 0; i < N * N; ++i) {
        float sum = 0;
        for (int k = 0; k < N; ++k) sum += a[i / N * N + k] * b[k * N + i % N];
        right = right && near(c[i], sum, 1e-5);
        want += a[i];
    }
    right = right && near(total, want, 1e-9);
    printf("pipeline, barrier %d\n", right);
    staged<<<64, 128, 0, stream>>>((const int4*)da, (int4*)db, N * N / 4);
    std::vector<int> got(N * N);
    CHECK(cudaMemcpyAsync(got.data(), db, N * N * 4, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    const int* from = (const int*)a.data();
    for (int i = 0; i < N * N; ++i) {
        const int cell = i / 4, base = cell / 128 * 128, source = (base + 127 - cell % 128) * 4 + i % 4;
        right = right && got[i] == from[source] + (i % 4 == 0);
    }
    for (float* p : {da, db, dc}) CHECK(cudaFreeAsync(p, stream));
    return verdict(right, "async_pipelines");
}
