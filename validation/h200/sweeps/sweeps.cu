// Sweeps that each change one thing: warps at a time, threads of a block, results of a thread, waves, and what happens
// between two barriers. Written to find mechanisms of the model (tuning set).
#include "../kernels/common.cuh"

// ------------------------------------------------------------------------------------------- L2 against parallelism

// Every warp has `several` loads under way that L1 does not keep; blocks read different lines.
template <int several>
__device__ void reads(const float* in, float* out, int mask, int apart, int rounds) {
    int at = blockIdx.x * apart + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        float v[several];
        for (int s = 0; s < several; ++s) v[s] = __ldcg(&in[(at + s * blockDim.x) & mask]);
        for (int s = 0; s < several; ++s) sum += v[s];
        at += several * blockDim.x;
    }
    if (sum == 0.1f) out[0] = sum;
}

KERNEL s_reads_1(const float* in, float* out, int mask, int apart, int rounds) { reads<1>(in, out, mask, apart, rounds); }
KERNEL s_reads_4(const float* in, float* out, int mask, int apart, int rounds) { reads<4>(in, out, mask, apart, rounds); }
KERNEL s_reads_8(const float* in, float* out, int mask, int apart, int rounds) { reads<8>(in, out, mask, apart, rounds); }

// ------------------------------------------------------------------------------------------- untiled products

KERNEL s_product(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// The columns alone: no value is the same for all threads of a block.
KERNEL s_columns(const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += b[k * n + x] * 0.5f;
    c[y * n + x] = sum + y;
}

// Blocks of different rows begin at different places, so that nobody wants what another has just asked for.
KERNEL s_columns_apart(const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y;
    float sum = 0;
    int k = y * 37 % n;
    for (int step = 0; step < n; ++step) {
        sum += b[k * n + x] * 0.5f;
        k = k + 1 == n ? 0 : k + 1;
    }
    c[y * n + x] = sum;
}

template <int rows>
__device__ void rows_of(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = blockIdx.y * rows;
    float sum[rows] = {};
    for (int k = 0; k < n; ++k) {
        const float right = b[k * n + x];
        for (int r = 0; r < rows; ++r) sum[r] += a[(y + r) * n + k] * right;
    }
    for (int r = 0; r < rows; ++r) c[(y + r) * n + x] = sum[r];
}

KERNEL s_rows_1(const float* a, const float* b, float* c, int n) { rows_of<1>(a, b, c, n); }
KERNEL s_rows_2(const float* a, const float* b, float* c, int n) { rows_of<2>(a, b, c, n); }
KERNEL s_rows_4(const float* a, const float* b, float* c, int n) { rows_of<4>(a, b, c, n); }
KERNEL s_rows_8(const float* a, const float* b, float* c, int n) { rows_of<8>(a, b, c, n); }

// ------------------------------------------------------------------------------------------- barriers

// Steps of a one-dimensional stencil in shared memory.
KERNEL s_heat(const float* in, float* out, int steps) {
    __shared__ float s[2][1026];
    const int t = threadIdx.x + 1, i = global_x();
    s[0][t] = s[1][t] = in[i];
    if (threadIdx.x == 0) s[0][0] = s[1][0] = s[0][blockDim.x + 1] = s[1][blockDim.x + 1] = 0;
    __syncthreads();
    for (int k = 0; k < steps; ++k) {
        s[(k + 1) & 1][t] = 0.5f * s[k & 1][t] + 0.25f * (s[k & 1][t - 1] + s[k & 1][t + 1]);
        __syncthreads();
    }
    out[i] = s[steps & 1][t];
}

// Elimination in a small matrix, a thread for each element: fewer and fewer have something to do.
KERNEL s_eliminate(const float* in, float* out) {
    __shared__ float a[32][33];
    const int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.x * 32 + y) * 32 + x;
    a[y][x] = in[at] + (x == y ? 40.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 31; ++k) {
        if (y > k && x == k) a[y][k] /= a[k][k];
        __syncthreads();
        if (y > k && x > k) a[y][x] -= a[y][k] * a[k][x];
        __syncthreads();
    }
    out[at] = a[y][x];
}

// Diagonals of a table, one after another: a window of threads works.
KERNEL s_diagonals(const int* in, int* out, int size) {
    extern __shared__ int table[];
    const int t = threadIdx.x, i = global_x(), own = in[i];
    for (int k = t; k < 3 * (size + 1); k += blockDim.x) table[k] = 0;
    __syncthreads();
    for (int d = 2; d <= 2 * size; ++d) {
        int* now = table + d % 3 * (size + 1);
        const int* one = table + (d + 2) % 3 * (size + 1);
        const int* two = table + (d + 1) % 3 * (size + 1);
        const int row = t + 1;
        if (row < d && row >= d - size) now[row] = max(two[row - 1] + (own > d ? 2 : -1), max(one[row - 1], one[row]) - 1);
        __syncthreads();
    }
    out[i] = table[(2 * size) % 3 * (size + 1) + t];
}

// Halves of a block meet at barriers of their own.
KERNEL s_halves(float* out, int rounds) {
    __shared__ float s[1024];
    float v = threadIdx.x;
    const int half = threadIdx.x >= blockDim.x / 2, count = blockDim.x / 2;
    for (int k = 0; k < rounds; ++k) {
        s[threadIdx.x] = v;
        asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "r"(count) : "memory");
        v += s[half * count + (threadIdx.x * 7 + 1) % count];
        asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "r"(count) : "memory");
    }
    out[global_x()] = v;
}

// All vote at every barrier.
KERNEL s_votes(float* out, int rounds) {
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        v = v * 1.0001f + 0.5f;
        if (__syncthreads_or(v < 0)) v = 0;
    }
    out[global_x()] = v;
}

// A load of global memory between two barriers.
KERNEL s_step_loads(const float* in, float* out, int steps) {
    __shared__ float s[1024];
    const int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < steps; ++k) {
        s[t] = __ldcg(&in[(blockIdx.x * steps + k) * blockDim.x + t]);
        __syncthreads();
        v += s[t ^ 1] + s[t ^ 32];
        __syncthreads();
    }
    out[global_x()] = v;
}

// Butterflies through shared memory, a warp for itself in the last five of them.
KERNEL s_butterflies(const float* in, float* out, int rounds) {
    __shared__ float s[1024];
    const int t = threadIdx.x;
    s[t] = in[global_x()];
    __syncthreads();
    for (int k = 0; k < rounds; ++k)
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            const float u = s[t], v = s[t ^ d];
            __syncthreads();
            s[t] = t & d ? v - u : u + v;
            __syncthreads();
        }
    out[global_x()] = s[t];
}

// ------------------------------------------------------------------------------------------- planes

// A star of seven points that marches through planes.
KERNEL s_star_march(const float* in, float* out, int n, int depth) {
    const int x = global_x(), y = global_y(), first = blockIdx.z * depth;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const int plane = n * n, at = y * n + x;
    float below = in[first * plane + at], here = in[(first + 1) * plane + at];
    for (int z = first + 1; z <= first + depth; ++z) {
        const float above = in[(z + 1) * plane + at];
        const float* p = in + z * plane + at;
        out[z * plane + at] = 0.4f * here + 0.1f * (below + above + p[-1] + p[1] + p[-n] + p[n]);
        below = here;
        here = above;
    }
}

// The same with neighbours of a row only, of a column only, and with none.
KERNEL s_row_march(const float* in, float* out, int n, int depth) {
    const int x = global_x(), y = global_y(), first = blockIdx.z * depth;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const int plane = n * n, at = y * n + x;
    for (int z = first + 1; z <= first + depth; ++z) {
        const float* p = in + z * plane + at;
        out[z * plane + at] = p[0] + p[-1] + p[1];
    }
}

KERNEL s_column_march(const float* in, float* out, int n, int depth) {
    const int x = global_x(), y = global_y(), first = blockIdx.z * depth;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const int plane = n * n, at = y * n + x;
    for (int z = first + 1; z <= first + depth; ++z) {
        const float* p = in + z * plane + at;
        out[z * plane + at] = p[0] + p[-n] + p[n];
    }
}

KERNEL s_copy_march(const float* in, float* out, int n, int depth) {
    const int x = global_x(), y = global_y(), first = blockIdx.z * depth;
    const int plane = n * n, at = y * n + x;
    for (int z = first + 1; z <= first + depth; ++z) out[z * plane + at] = in[z * plane + at] + 1.0f;
}

// ------------------------------------------------------------------------------------------- local memory

template <int words>
__device__ void own_table(int* out, int step, int rounds) {
    int own[words];
    for (int k = 0; k < words; ++k) own[k] = k * step;
    int at = threadIdx.x & (words - 1), sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += own[at];
        own[(at + step) & (words - 1)] = sum;
        at = (at + 3) & (words - 1);
    }
    out[global_x()] = sum;
}

// The same place in every thread, whose words lie side by side.
template <int words>
__device__ void own_table_alike(int* out, int step, int rounds) {
    int own[words];
    for (int k = 0; k < words; ++k) own[k] = k * step;
    int at = step & (words - 1), sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += own[at];
        own[(at + step) & (words - 1)] = sum;
        at = (at + 3) & (words - 1);
    }
    out[global_x()] = sum;
}

KERNEL s_own_8(int* out, int step, int rounds) { own_table_alike<8>(out, step, rounds); }
KERNEL s_own_32(int* out, int step, int rounds) { own_table_alike<32>(out, step, rounds); }
KERNEL s_own_128(int* out, int step, int rounds) { own_table_alike<128>(out, step, rounds); }
KERNEL s_own_mixed_32(int* out, int step, int rounds) { own_table<32>(out, step, rounds); }
