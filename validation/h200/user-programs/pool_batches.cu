// Batches from several threads of the host, each with a stream of its own priority: memory from pools, functions of the
// host in streams, events between them.
#include <atomic>
#include <numeric>
#include <thread>

#include "digest.h"

__global__ void normalise(const float* from, float* to, int columns) {
    __shared__ float sums[2][32];
    const float* row = from + size_t(blockIdx.x) * columns;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        sum += row[i];
        squares += row[i] * row[i];
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(~0u, sum, step);
        squares += __shfl_down_sync(~0u, squares, step);
    }
    if (threadIdx.x % 32 == 0) sums[0][threadIdx.x / 32] = sum, sums[1][threadIdx.x / 32] = squares;
    __syncthreads();
    sum = squares = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp) sum += sums[0][warp], squares += sums[1][warp];
    const float mean = sum / columns, scale = rsqrtf(squares / columns - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        to[size_t(blockIdx.x) * columns + i] = (row[i] - mean) * scale;
}
__global__ void quantise(const float* from, signed char* to, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float4 value = *reinterpret_cast<const float4*>(from + i);
    auto rounded = [](float x) { return static_cast<signed char>(max(-127, min(127, __float2int_rn(x * 32.0f)))); };
    *reinterpret_cast<char4*>(to + i) = make_char4(rounded(value.x), rounded(value.y), rounded(value.z), rounded(value.w));
}

struct Batch {
    std::vector<signed char> result;
    std::atomic<int>* done;
};
static void CUDART_CB finished(void* data) { ++*static_cast<Batch*>(data)->done; }
static void CUDART_CB called(cudaStream_t, cudaError_t status, void* data) {
    if (status == cudaSuccess) ++*static_cast<std::atomic<int>*>(data);
}

int main() {
    const int threads = 4, batches = 3, rows = 256, columns = 1024, n = rows * columns;
    int supported = 0, least = 0, greatest = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaMemPool_t own, common;
    CHECK(cudaDeviceGetDefaultMemPool(&common, 0));
    unsigned long long keep = ~0ull;
    CHECK(cudaMemPoolSetAttribute(common, cudaMemPoolAttrReleaseThreshold, &keep));
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaMemPoolCreate(&own, &properties));
    std::atomic<int> done{0}, callbacks{0};
    std::vector<Batch> all(threads * batches);
    float* input;
    CHECK(cudaMallocHost(&input, n * sizeof(float)));
    Random random(9);
    for (int i = 0; i < n; ++i) input[i] = random.real() + (i / columns) % 7;
    cudaEvent_t ready;
    CHECK(cudaEventCreate(&ready));
    std::vector<std::thread> workers;
    for (int worker = 0; worker < threads; ++worker)
        workers.emplace_back([&, worker] {
            cudaStream_t stream;
            CHECK(cudaSetDevice(0));
            CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, worker % 2 ? greatest : least));
            for (int batch = 0; batch < batches; ++batch) {
                Batch& item = all[worker * batches + batch];
                item.result.resize(n);
                item.done = &done;
                float *from, *to;
                signed char* bytes;
                CHECK(cudaMallocAsync(&from, n * sizeof(float), stream));
                CHECK(cudaMallocFromPoolAsync(&to, n * sizeof(float), own, stream));
                CHECK(cudaMallocAsync(&bytes, n, stream));
                CHECK(cudaMemcpyAsync(from, input, n * sizeof(float), cudaMemcpyHostToDevice, stream));
                normalise<<<rows, 256, 0, stream>>>(from, to, columns);
                quantise<<<n / 1024, 256, 0, stream>>>(to, bytes, n);
                CHECK(cudaMemcpyAsync(item.result.data(), bytes, n, cudaMemcpyDeviceToHost, stream));
                CHECK(cudaLaunchHostFunc(stream, finished, &item));
                CHECK(cudaStreamAddCallback(stream, called, &callbacks, 0));
                CHECK(cudaFreeAsync(from, stream));
                CHECK(cudaFreeAsync(to, stream));
                CHECK(cudaFreeAsync(bytes, stream));
            }
            CHECK(cudaStreamSynchronize(stream));
            CHECK(cudaStreamDestroy(stream));
        });
    for (std::thread& worker : workers) worker.join();
    bool right = supported == 1 && done == threads * batches && callbacks == threads * batches;
    for (int row = 0; row < rows; ++row) {
        double sum = 0, squares = 0;
        for (int i = 0; i < columns; ++i) sum += input[row * columns + i];
        for (int i = 0; i < columns; ++i) squares += pow(input[row * columns + i] - sum / columns, 2);
        const double scale = 1 / sqrt(squares / columns + 1e-5);
        for (int i = 0; i < columns; ++i) {
            const double expected = fmax(-127, fmin(127, (input[row * columns + i] - sum / columns) * scale * 32));
            right &= fabs(all[0].result[row * columns + i] - expected) <= 0.51;
        }
    }
    for (const Batch& item : all) right &= item.result == all[0].result;
    unsigned long long used = 1;
    CHECK(cudaMemPoolTrimTo(own, 0));
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
    right &= used == 0;
    CHECK(cudaMemPoolDestroy(own));
    CHECK(cudaDeviceReset());
    digest("bytes", all[0].result.data(), n);
    return verdict(right, "pool_batches");
}
