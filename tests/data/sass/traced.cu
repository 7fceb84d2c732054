// Kernels whose every count the tests work out by themselves.
extern "C" __global__ void gather(const int* index, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[index[i]];
}
extern "C" __global__ void divide(float* y, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[(i / d) * 3 + (unsigned)i % (unsigned)d] = 1.0f;
}
extern "C" __global__ void rows(const int* start, const float* value, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
#pragma unroll 1
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k];
    y[i] = sum;
}
extern "C" __global__ void triangle(const float* a, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j <= i; ++j) sum += a[j * n];
    y[i] = sum;
}
extern "C" __global__ void strided(const float* a, float* y, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a[(long long)i * stride];
}
extern "C" __global__ void histogram(const int* data, int* bins, int n) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
extern "C" __global__ void shuffled(const int* index, const float* x, float* y) {
    int v = threadIdx.x * 3;
    v += __shfl_xor_sync(~0u, v, 5);
    v += __shfl_down_sync(~0u, v, 4, 16);
    unsigned odd = __ballot_sync(~0u, threadIdx.x & 1);
    y[threadIdx.x] = x[v + __popc(odd) + __clz(v) + index[threadIdx.x]];
}
extern "C" __global__ void branches(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i % 3 == 0) y[i] = x[i];
    else if (i % 3 == 1) y[i + 64] = x[2 * i];
    else y[i + 128] = x[4 * i];
    y[i + 256] = n;
}
extern "C" __global__ void by_data(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (x[i] > 0.5f) y[i] = x[i + n];
    y[i + n] = 1.0f;
}
extern "C" __global__ void forever(float* y, int n) {
    unsigned i = 0;
    while (i != (unsigned)n) {
        i += 2;
        y[i & 7] = i;
    }
}
extern "C" __global__ void wide(const float4* a, float4* b, const double* d, double* e) {
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = a[i];
    __syncthreads();
    b[i] = tile[threadIdx.x ^ 1];
    double* words = (double*)tile;
    e[i] = words[threadIdx.x] + d[i + 1];
}
