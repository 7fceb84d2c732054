// Managed memory that a kernel fetches: a word in each large page at once, a word in each page one after the other, all of it;
// and again, when it is there.
#include <cstdio>
#include <cuda_runtime.h>

constexpr size_t LARGE = 1 << 21, PAGE = 1 << 16, MEBI = 1 << 20;

__global__ void large_pages(const int* data, size_t count, int* sum) {
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(sum, data[i * (LARGE / 4)]);
}
__global__ void one_by_one(const int* data, size_t count, int* sum) {
    int total = 0;
#pragma unroll 1
    for (size_t i = 0; i < count; ++i) total += data[(i * (PAGE / 4) + (total & 1))];
    *sum += total;
}
__global__ void dense(const int* data, size_t count, int* sum) {
    int own = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) own += data[i];
    atomicAdd(sum, own);
}
__global__ void dense_again(const int* data, size_t count, int* sum) {
    int own = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) own += data[i];
    atomicAdd(sum, own);
}

int* of_twos(size_t bytes) {
    int* result = nullptr;
    if (cudaMallocManaged(&result, bytes + LARGE) != cudaSuccess) return nullptr;
    result = reinterpret_cast<int*>((reinterpret_cast<size_t>(result) + LARGE - 1) / LARGE * LARGE);
    for (size_t i = 0; i < bytes / 4; ++i) result[i] = 2;
    return result;
}

int main() {
    int *sum, got;
    cudaMalloc(&sum, 4);
    cudaMemset(sum, 0, 4);
    const int *first = of_twos(32 * MEBI), *second = of_twos(8 * MEBI), *third = of_twos(8 * MEBI);
    large_pages<<<1, 32>>>(first, 16, sum);
    one_by_one<<<1, 1>>>(second, 128, sum);
    dense<<<264, 256>>>(third, 2 * MEBI, sum);
    dense_again<<<264, 256>>>(third, 2 * MEBI, sum);
    const bool ran = cudaMemcpy(&got, sum, 4, cudaMemcpyDeviceToHost) == cudaSuccess;
    const int wanted = 2 * (16 + 128 + 4 * static_cast<int>(MEBI));
    std::printf("%d of %d\n", got, wanted);
    return ran && got == wanted ? 0 : 1;
}
