// Launches with attributes: one that begins before the one before it ends, a window of L2, clusters whose blocks add to
// each other's shared memory; libraries and kernels by handle.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "digest.h"

namespace cg = cooperative_groups;

__global__ void produce(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = sinf(i * 0.001f) + 2.0f;
    cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void consume(const float* data, float* result, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float weight = 1.0f / (1 + i % 16);
    cudaGridDependencySynchronize();
    if (i < n) result[i] = weight * data[i];
}
__global__ void bins_of_cluster(const unsigned* keys, unsigned* bins, int each, int n) {
    extern __shared__ unsigned own[];
    const cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < each; i += blockDim.x) own[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned bin = keys[i] % (each * cluster.num_blocks());
        atomicAdd(cluster.map_shared_rank(&own[bin % each], bin / each), 1u);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < each; i += blockDim.x) atomicAdd(&bins[cluster.block_rank() * each + i], own[i]);
}
__global__ void reduce(const int* data, long long* sums, int n) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto eight = cg::tiled_partition<8>(warp);
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += data[i] % 1000;
    const int sum = cg::reduce(warp, own, cg::plus<int>());
    const int most = cg::reduce(eight, own, cg::greater<int>());
    if (warp.thread_rank() == 0) atomicAdd(reinterpret_cast<unsigned long long*>(&sums[0]), sum);
    if (eight.thread_rank() == 0) atomicMax(&sums[1], static_cast<long long>(most));
}

int main() {
    const int n = 1 << 20, each = 1024, blocks = 4;
    float *data, *result;
    unsigned *keys, *bins;
    int* numbers;
    long long *sums, total[2];
    CHECK(cudaMalloc(&data, n * 4));
    CHECK(cudaMalloc(&result, n * 4));
    CHECK(cudaMalloc(&keys, n * 4));
    CHECK(cudaMalloc(&bins, each * blocks * 4));
    CHECK(cudaMalloc(&sums, 16));
    numbers = reinterpret_cast<int*>(keys);
    std::vector<unsigned> input(n), counted(each * blocks), expected(each * blocks);
    Random random(13);
    for (auto& key : input) key = random.next();
    CHECK(cudaMemcpy(keys, input.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bins, 0, each * blocks * 4));
    CHECK(cudaMemset(sums, 0, 16));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaStreamAttrValue window = {};
    window.accessPolicyWindow = {data, n * 4, 0.6f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 4 << 20));
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
    cudaLaunchAttribute attribute[2] = {};
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = n / 256;
    how.blockDim = 256;
    how.stream = stream;
    how.attrs = attribute;
    how.numAttrs = 1;
    Elapsed elapsed;
    for (int round = 0; round < 4; ++round) {
        produce<<<n / 256, 256, 0, stream>>>(data, n);
        CHECK(cudaLaunchKernelEx(&how, consume, const_cast<const float*>(data), result, n));
    }
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim = {blocks, 1, 1};
    attribute[1].id = cudaLaunchAttributePriority;
    attribute[1].val.priority = 0;
    how.numAttrs = 2;
    how.gridDim = 30 * blocks;
    how.dynamicSmemBytes = each * 4;
    int clusters = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, bins_of_cluster, &how));
    CHECK(cudaLaunchKernelEx(&how, bins_of_cluster, const_cast<const unsigned*>(keys), bins, each, n));
    cudaKernel_t kernel;
    CHECK(cudaGetKernel(&kernel, reinterpret_cast<const void*>(reduce)));
    int size = n;
    void* arguments[] = {&numbers, &sums, &size};
    CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(264), dim3(256), arguments, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    elapsed.print();
    std::vector<float> got(n);
    CHECK(cudaMemcpy(got.data(), result, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counted.data(), bins, each * blocks * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(total, sums, 16, cudaMemcpyDeviceToHost));
    bool right = clusters > 0;
    long long sum = 0, most = 0;
    std::vector<int> each_thread(264 * 256);
    for (int i = 0; i < n; ++i) {
        right &= near(got[i], (sin(i * 0.001f) + 2.0) / (1 + i % 16), 1e-5);
        ++expected[input[i] % (each * blocks)];
        each_thread[i % (264 * 256)] += static_cast<int>(input[i]) % 1000;
        sum += static_cast<int>(input[i]) % 1000;
    }
    for (const int own : each_thread) most = std::max<long long>(most, own);
    right &= counted == expected && total[0] == sum && total[1] == most;
    digest("bins", counted.data(), counted.size() * 4);
    digest("sums", total, 16);
    digest("weighted", got.data(), n * 4);
    return verdict(right, "launch_attributes");
}
