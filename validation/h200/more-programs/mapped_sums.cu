// Memory of the host that kernels read and write over the link, and a managed one, in the manner of CUDA's simpleZeroCopy.
#include "../programs/check.h"
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void gather(const float* a, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[index[i]];
}
__global__ void total(const float* a, float* sum, int n) {
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += a[i];
    for (int s = 16; s; s /= 2) own += __shfl_down_sync(~0u, own, s);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}
int main() {
    const int n = 1 << 20;
    float *a, *b, *c, *da, *db, *dc, *out, *sum;
    int* index;
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CHECK(cudaHostAlloc(&a, n * 4, cudaHostAllocMapped)); CHECK(cudaHostAlloc(&b, n * 4, cudaHostAllocMapped)); CHECK(cudaHostAlloc(&c, n * 4, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&da, a, 0)); CHECK(cudaHostGetDevicePointer(&db, b, 0)); CHECK(cudaHostGetDevicePointer(&dc, c, 0));
    CHECK(cudaMalloc(&out, n * 4)); CHECK(cudaMalloc(&index, n * 4)); CHECK(cudaMallocManaged(&sum, 4));
    Random random(15);
    std::vector<int> where(n);
    for (int i = 0; i < n; ++i) a[i] = random.next() % 8, b[i] = random.next() % 8, where[i] = random.next() % n;
    CHECK(cudaMemcpy(index, where.data(), n * 4, cudaMemcpyHostToDevice));
    *sum = 0;
    Elapsed elapsed;
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    gather<<<n / 4 / 256, 256>>>(da, index, out, n / 4);
    total<<<264, 256>>>(da, sum, n);
    elapsed.print();
    CHECK(cudaDeviceSynchronize());
    std::vector<float> got(n / 4);
    CHECK(cudaMemcpy(got.data(), out, n, cudaMemcpyDeviceToHost));
    double want = 0;
    bool right = true;
    for (int i = 0; i < n; ++i) want += a[i], right = right && c[i] == a[i] + b[i];
    for (int i = 0; i < n / 4; ++i) right = right && got[i] == a[where[i]];
    return verdict(right && *sum == want, "mapped_sums");
}
