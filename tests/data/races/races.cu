// Kernels with and without races, for complete execution: nvcc -arch=sm_90 -lineinfo -cubin.
extern "C" __global__ void reverse_raced(int* x) {
    __shared__ int part[128];
    part[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = part[127 - threadIdx.x];
}

extern "C" __global__ void reverse(int* x) {
    __shared__ int part[128];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = part[127 - threadIdx.x];
}

// Two warps write, the others read, with named barriers: arrive and sync.
extern "C" __global__ void handed_over(int* x) {
    __shared__ int part[64];
    if (threadIdx.x < 64) {
        part[threadIdx.x] = x[threadIdx.x];
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        x[threadIdx.x] = part[threadIdx.x - 64];
    }
}

extern "C" __global__ void bytes_apart(unsigned char* x) {
    __shared__ unsigned char part[128];
    part[4 * (threadIdx.x % 32) + threadIdx.x / 32] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = part[threadIdx.x];
}

extern "C" __global__ void neighbour(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) x[i] = x[i + 1] + 1;
}

extern "C" __global__ void counted(int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *count += 1;
}

extern "C" __global__ void counted_atomically(int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(count, 1);
}

extern "C" __global__ void flagged(int* flag, const int* x) {
    if (x[blockIdx.x * blockDim.x + threadIdx.x] > 2) *flag = 1;
}

extern "C" __global__ void any_value(int* x) { x[0] = threadIdx.x; }

// The last block adds what the others left: ordered by fence and atomic.
extern "C" __global__ void last_adds(int* parts, unsigned* done, int* sum) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < gridDim.x) atomicAdd(sum, parts[threadIdx.x]);
}

// A barrier that half of the block never reaches.
extern "C" __global__ void half_a_barrier(int* x) {
    if (threadIdx.x < 32) asm volatile("bar.sync 2, 64;" ::: "memory");
    else x[threadIdx.x] = 1;
    __syncthreads();
}

extern "C" __global__ void never_ends(volatile int* x) {
    while (x[0] == 0) {}
}

// Each block waits for the one before, as decoupled look-back does.
extern "C" __global__ void chained(volatile int* flags, int* x) {
    if (threadIdx.x == 0 && blockIdx.x > 0)
        while (flags[blockIdx.x - 1] == 0) {}
    __syncthreads();
    x[blockIdx.x * blockDim.x + threadIdx.x] += blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) flags[blockIdx.x] = 1;
}
