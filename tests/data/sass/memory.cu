// Kernels whose loops depend on what memory holds.

// Rounds: what an atomic of the same block left in the counter.
extern "C" __global__ void after_atomic(int* counter, float* out) {
    if (threadIdx.x == 0) atomicAdd(counter, 100);
    __syncthreads();
    int rounds = *(volatile int*)counter;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) sum += out[k];
    out[threadIdx.x] = sum;
}

// As many stores as elements are larger than the limit.
extern "C" __global__ void larger_f32(const float* x, float limit, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > limit) out[i] = 1;
}

extern "C" __global__ void larger_f64(const double* x, double limit, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > limit) out[i] = 1;
}

// Rounds from bytes: one of four is changed, the others are still known.
extern "C" __global__ void after_bytes(unsigned char* x, float* out) {
    __shared__ unsigned char own[128];
    own[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 4 == 0) own[threadIdx.x] = 7;
    __syncthreads();
    int rounds = own[threadIdx.x];
    float sum = 0;
    for (int k = 0; k < rounds; ++k) sum += out[k];
    out[threadIdx.x] = sum;
}

// One list a thread: {start, count}.
extern "C" __global__ void lists(const int2* extent, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int2 list = extent[i];
    float sum = 0;
#pragma unroll 1
    for (int k = list.x; k < list.x + list.y; ++k) sum += x[k];
    out[i] = sum;
}

// Each atomic waits for the result of the one before, as the probe measures latencies.
extern "C" __global__ void chained_atomics(unsigned* data, int rounds, unsigned* sink) {
    unsigned at = 0;
    for (int r = 0; r < rounds; ++r) at = atomicAdd(data + (at & 1), 2u);
    sink[0] = at;
}
