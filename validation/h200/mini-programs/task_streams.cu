// What samples measure: the device's properties, copies of many sizes with events, kernels side by side in streams, work that the host does
// while the device computes (polled), priorities, occupancy, and pitched copies.
#include "../user-programs/digest.h"
#include <chrono>

__global__ void spin(long long cycles, long long* ended) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
    if (threadIdx.x == 0) ended[blockIdx.x] = clock64() - begin;
}
__global__ void increment(int* data, int by) { data[blockIdx.x * blockDim.x + threadIdx.x] += by; }
__global__ void heavy(const float* in, float* out, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x = in[i];
        for (int r = 0; r < rounds; ++r) x = sqrtf(x * x + 1.0f) - 0.25f * x;
        out[i] = x;
    }
}
__global__ void transpose(float* out, const float* in, int w, int h, size_t pitch) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w) out[(size_t)(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int clock = 0, memory_clock = 0, driver = 0, runtime = 0;
    CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
    CHECK(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    printf("%d devices: %s %d.%d, %d multiprocessors, %zu bytes, L2 %d, warp %d, shared %zu (%zu), registers %d, bus %d, engines %d, clock %d %d\n", count, p.name, p.major, p.minor,
           p.multiProcessorCount, p.totalGlobalMem, p.l2CacheSize, p.warpSize, p.sharedMemPerBlock, p.sharedMemPerMultiprocessor, p.regsPerBlock, p.memoryBusWidth, p.asyncEngineCount, clock, memory_clock);
    bool right = count >= 1 && p.warpSize == 32;
    // bandwidth
    unsigned char *pinned, *on_device, *other;
    const size_t most = 16 << 20;
    CHECK(cudaMallocHost(&pinned, most));
    CHECK(cudaMalloc(&on_device, most));
    CHECK(cudaMalloc(&other, most));
    std::vector<unsigned char> pageable(most, 3);
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    for (size_t bytes = 1 << 10; bytes <= most; bytes <<= 7) {
        const std::pair<void*, void*> ways[] = {{on_device, pinned}, {pinned, on_device}, {on_device, pageable.data()}, {other, on_device}};
        for (auto [to, from] : ways) {
            CHECK(cudaEventRecord(first));
            for (int r = 0; r < 4; ++r) CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault));
            CHECK(cudaEventRecord(last));
            CHECK(cudaEventSynchronize(last));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, first, last));
            printf("copies of %zu: %.1f GB/s\n", bytes, 4e-6 * bytes / ms);
        }
    }
    // kernels side by side
    long long* ended;
    CHECK(cudaMalloc(&ended, 64));
    cudaStream_t streams[8];
    int low, high;
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    for (int s = 0; s < 8; ++s) CHECK(cudaStreamCreateWithPriority(&streams[s], cudaStreamNonBlocking, s % 2 ? low : high));
    CHECK(cudaEventRecord(first));
    CHECK(cudaEventSynchronize(first));
    for (int s = 0; s < 8; ++s) spin<<<1, 32, 0, streams[s]>>>(1000000, ended + s);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(last));
    CHECK(cudaEventSynchronize(last));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, first, last));
    right = right && ms < 3;
    // work while the device computes
    int* numbers;
    const int n = 1 << 22;
    CHECK(cudaMallocHost(&numbers, n * 4));
    std::fill(numbers, numbers + n, 1);
    int* d_numbers;
    CHECK(cudaMalloc(&d_numbers, n * 4));
    CHECK(cudaMemcpyAsync(d_numbers, numbers, n * 4, cudaMemcpyHostToDevice));
    increment<<<n / 512, 512>>>(d_numbers, 26);
    CHECK(cudaMemcpyAsync(numbers, d_numbers, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(last));
    long polls = 0;
    while (cudaEventQuery(last) == cudaErrorNotReady) ++polls;
    for (int i = 0; i < n; ++i) right = right && numbers[i] == 27;
    // chunks over two streams, depth first
    float *in, *out, *d_in, *d_out;
    const int chunk = 1 << 18, chunks = 8;
    CHECK(cudaHostAlloc(&in, chunk * chunks * 4, cudaHostAllocWriteCombined));
    CHECK(cudaHostAlloc(&out, chunk * chunks * 4, cudaHostAllocPortable));
    CHECK(cudaMalloc(&d_in, chunk * chunks * 4));
    CHECK(cudaMalloc(&d_out, chunk * chunks * 4));
    for (int i = 0; i < chunk * chunks; ++i) in[i] = i % 97;
    int blocks = 0, best = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &best, heavy, 0, 0));
    for (int c = 0; c < chunks; ++c) {
        cudaStream_t s = streams[c % 2];
        CHECK(cudaMemcpyAsync(d_in + c * chunk, in + c * chunk, chunk * 4, cudaMemcpyHostToDevice, s));
        heavy<<<blocks / 4, best, 0, s>>>(d_in + c * chunk, d_out + c * chunk, chunk, 40);
        CHECK(cudaMemcpyAsync(out + c * chunk, d_out + c * chunk, chunk * 4, cudaMemcpyDeviceToHost, s));
    }
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < chunk * chunks; i += 1001) {
        float x = i % 97;
        for (int r = 0; r < 40; ++r) x = sqrtf(x * x + 1.0f) - 0.25f * x;
        right = right && near(x, out[i], 1e-4);
    }
    float *pitched, *turned;
    size_t pitch;
    const int w = 1000, h = 700;
    CHECK(cudaMallocPitch(&pitched, &pitch, w * 4, h));
    CHECK(cudaMalloc(&turned, w * h * 4));
    CHECK(cudaMemcpy2D(pitched, pitch, in, w * 4, w * 4, h, cudaMemcpyHostToDevice));
    transpose<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(turned, pitched, w, h, pitch / 4);
    std::vector<float> back(w * h);
    CHECK(cudaMemcpy(back.data(), turned, w * h * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < w * h; i += 7) right = right && back[(size_t)(i % w) * h + i / w] == in[i];
    digest("turned", back.data(), w * h * 4);
    return verdict(right, "task_streams");
}
