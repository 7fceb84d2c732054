// Single mechanisms of the machine: barriers, requests that multiprocessors share, small blocks, atomics.
#include "../kernels/common.cuh"

// ------------------------------------------------------------------------------------------- barriers

// nothing but barriers, and one addition between them
KERNEL w_barriers(float* out, int rounds) {
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        v = v * 1.0001f + 0.5f;
        __syncthreads();
    }
    out[global_x()] = v;
}

// a word passed to the neighbour through shared memory, two barriers a round
KERNEL w_pass_on(float* out, int rounds) {
    __shared__ float s[1024];
    const int t = threadIdx.x, next = (t + 1) % blockDim.x;
    s[t] = t;
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        const float v = s[next] * 0.5f + 1.0f;
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    out[global_x()] = s[t];
}

// one warp works, all others wait for it
KERNEL w_one_works(float* out, int rounds) {
    __shared__ float s[32];
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        if (threadIdx.x < 32) {
            for (int j = 0; j < 8; ++j) v = v * 1.0001f + 0.5f;
            s[threadIdx.x] = v;
        }
        __syncthreads();
        v += s[threadIdx.x % 32];
        __syncthreads();
    }
    out[global_x()] = v;
}

// a tree of partial sums again and again: fewer and fewer threads between barriers
KERNEL w_trees(const float* in, float* out, int rounds) {
    __shared__ float s[512];
    const int t = threadIdx.x;
    float v = in[global_x()];
    for (int k = 0; k < rounds; ++k) {
        s[t] = v;
        __syncthreads();
        for (int half = blockDim.x / 2; half > 0; half /= 2) {
            if (t < half) s[t] += s[t + half];
            __syncthreads();
        }
        v = s[0] + t;
        __syncthreads();
    }
    out[global_x()] = v;
}

// warps that arrive at different times: the work of each grows with its number
KERNEL w_late_warps(float* out, int rounds) {
    float v = threadIdx.x;
    const int work = threadIdx.x / 32 * 4;
    for (int k = 0; k < rounds; ++k) {
        for (int j = 0; j < work; ++j) v = v * 1.0001f + 0.5f;
        __syncthreads();
    }
    out[global_x()] = v;
}

// ------------------------------------------------------------------------------------------- requests that are shared

// every block reads the whole region past L1, all from the same place or each from its own
KERNEL w_same_region(const float4* in, float* out, int mask, int from, int rounds) {
    int at = blockIdx.x * from + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        const float4 v = __ldcg(&in[at & mask]);
        sum += v.x + v.y + v.z + v.w;
        at += blockDim.x;
    }
    if (sum == 0.1f) out[0] = sum;
}

// the same with loads of four bytes a lane
KERNEL w_same_lines(const float* in, float* out, int mask, int from, int rounds) {
    int at = blockIdx.x * from + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += __ldcg(&in[at & mask]);
        at += blockDim.x;
    }
    if (sum == 0.1f) out[0] = sum;
}

// all lanes of a block read one word past L1, then the next
KERNEL w_same_word(const float* in, float* out, int mask, int from, int rounds) {
    int at = blockIdx.x * from;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += __ldcg(&in[at & mask]);
        ++at;
    }
    if (sum == 0.1f) out[0] = sum;
}

// a small table that stays in L1, read by blocks of any size
KERNEL w_small_table(const float* in, float* out, int mask, int rounds) {
    int at = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += in[at & mask];
        at += 32;
    }
    out[global_x()] = sum;
}

// ------------------------------------------------------------------------------------------- products without tiles

KERNEL w_product_line(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y;
    float sum = 1;
    for (int k = 0; k < n; ++k) sum += a[k * n + y] * b[k * n + x];  // A transposed
    c[y * n + x] = sum;
}

KERNEL w_product_double(const double* a, const double* b, double* c, int n) {
    const int x = global_x(), y = blockIdx.y;
    double sum = 1;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

template <int rows>
__device__ void several_rows(const int* a, const int* b, int* c, int n) {
    const int x = global_x(), y = blockIdx.y * rows;
    int best[rows];
    for (int r = 0; r < rows; ++r) best[r] = 0;
    for (int k = 0; k < n; ++k) {
        const int right = b[k * n + x];
        for (int r = 0; r < rows; ++r) best[r] = max(best[r], a[(y + r) * n + k] + right);
    }
    for (int r = 0; r < rows; ++r) c[(y + r) * n + x] = best[r];
}
KERNEL w_rows_1(const int* a, const int* b, int* c, int n) { several_rows<1>(a, b, c, n); }
KERNEL w_rows_2(const int* a, const int* b, int* c, int n) { several_rows<2>(a, b, c, n); }
KERNEL w_rows_4(const int* a, const int* b, int* c, int n) { several_rows<4>(a, b, c, n); }
KERNEL w_rows_8(const int* a, const int* b, int* c, int n) { several_rows<8>(a, b, c, n); }

template <int columns>
__device__ void several_columns(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * blockDim.x * columns + threadIdx.x, y = blockIdx.y;
    float sum[columns] = {};
    for (int k = 0; k < n; ++k) {
        const float left = a[y * n + k];
        for (int r = 0; r < columns; ++r) sum[r] += left * b[k * n + x + r * blockDim.x];
    }
    for (int r = 0; r < columns; ++r) c[y * n + x + r * blockDim.x] = sum[r];
}
KERNEL w_columns_2(const float* a, const float* b, float* c, int n) { several_columns<2>(a, b, c, n); }
KERNEL w_columns_4(const float* a, const float* b, float* c, int n) { several_columns<4>(a, b, c, n); }

// ------------------------------------------------------------------------------------------- atomics

KERNEL w_count_all(const int* in, int* out, int n) {
    const int i = global_x();
    if (i < n && in[i] > 5) atomicAdd(out, 1);
}

KERNEL w_sum_groups(const float* in, float* out, int groups) {
    const int i = global_x();
    atomicAdd(&out[i % groups], in[i]);
}

KERNEL w_most(const int* in, const int* where, int* out) {
    const int i = global_x();
    atomicMax(&out[where[i]], in[i]);
}

KERNEL w_tickets(int* counter, int* out) {
    const int i = global_x();
    out[i] = atomicAdd(&counter[blockIdx.x % 64 * 32], 1);
}

KERNEL w_sum_double(const double* in, const int* where, double* out) {
    const int i = global_x();
    atomicAdd(&out[where[i]], in[i]);
}

KERNEL w_sum_block(const float* in, float* out, int rounds) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        float v = in[(blockIdx.x * rounds + k) * blockDim.x + threadIdx.x];
        for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(~0u, v, offset);
        if (threadIdx.x % 32 == 0) atomicAdd(&total, v);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
}
