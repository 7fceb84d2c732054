// Ragged rows, queues, bins and searches, as sparse algebra, graphs and databases have them.
#include "../kernels/common.cuh"

// ---- rows of very different length: a thread, a warp, a block for each
KERNEL r_rows_by_thread(const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value, const float* __restrict__ x,
                        float* y, int rows) {
    const int r = global_x();
    if (r >= rows) return;
    float sum = 0;
    for (int k = start[r]; k < start[r + 1]; ++k) sum += value[k] * x[column[k]];
    y[r] = sum;
}

KERNEL r_rows_by_warp(const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value, const float* __restrict__ x,
                      float* y, int rows) {
    const int r = global_x() / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float sum = 0;
    for (int k = start[r] + lane; k < start[r + 1]; k += 32) sum += value[k] * x[column[k]];
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) y[r] = sum;
}

KERNEL r_longest_of_segment(const int* __restrict__ start, const float* __restrict__ value, float* most) {
    __shared__ float best[8];
    float high = -1e30f;
    for (int k = start[blockIdx.x] + threadIdx.x; k < start[blockIdx.x + 1]; k += 256) high = fmaxf(high, value[k]);
    for (int d = 16; d; d /= 2) high = fmaxf(high, __shfl_xor_sync(~0u, high, d));
    if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = high;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) high = fmaxf(high, best[w]);
        most[blockIdx.x] = high;
    }
}

// ---- sequences of different length side by side: scores of a token against those before it
KERNEL r_ragged_scores(const int* __restrict__ start, const float* __restrict__ q, const float* __restrict__ k, float* out) {
    __shared__ float row[64];
    const int first = start[blockIdx.y], count = start[blockIdx.y + 1] - first, mine = blockIdx.x * 4 + threadIdx.x / 32;
    if (static_cast<int>(blockIdx.x) * 4 >= count) return;
    if (threadIdx.x < 64) row[threadIdx.x] = q[(first + blockIdx.x * 4) * 64 + threadIdx.x];
    __syncthreads();
    float total = 0;
    for (int j = threadIdx.x % 32; j <= mine && j < count; j += 32) {
        float s = 0;
        for (int d = 0; d < 64; d += 4) {
            const float4 v = *reinterpret_cast<const float4*>(k + (first + j) * 64 + d);
            s += row[d] * v.x + row[d + 1] * v.y + row[d + 2] * v.z + row[d + 3] * v.w;
        }
        total += __expf(s);
    }
    for (int d = 16; d; d /= 2) total += __shfl_xor_sync(~0u, total, d);
    if (threadIdx.x % 32 == 0 && mine < count) out[first + mine] = total;
}

// ---- the lower half of a product a aᵀ; tiles above the diagonal leave
KERNEL r_lower_product(const float* __restrict__ a, float* c, int n, int depth) {
    __shared__ float left[32][33], right[32][33];
    if (blockIdx.x > blockIdx.y) return;
    float sum[4] = {};
    for (int k = 0; k < depth; k += 32) {
        for (int q = 0; q < 4; ++q) {
            left[threadIdx.y + 8 * q][threadIdx.x] = a[(blockIdx.y * 32 + threadIdx.y + 8 * q) * depth + k + threadIdx.x];
            right[threadIdx.y + 8 * q][threadIdx.x] = a[(blockIdx.x * 32 + threadIdx.y + 8 * q) * depth + k + threadIdx.x];
        }
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            for (int q = 0; q < 4; ++q) sum[q] += left[threadIdx.y + 8 * q][j] * right[threadIdx.x][j];
        __syncthreads();
    }
    for (int q = 0; q < 4; ++q) c[(blockIdx.y * 32 + threadIdx.y + 8 * q) * n + blockIdx.x * 32 + threadIdx.x] = sum[q];
}

// ---- queues: what passes a test is appended, lane by lane, by warp, by block
KERNEL r_append_each(const int* __restrict__ x, int* out, int* count, int limit, int n) {
    const int i = global_x();
    if (i < n && x[i] < limit) out[atomicAdd(count, 1) & (1 << 22) - 1] = x[i];
}

KERNEL r_append_block(const int* __restrict__ x, int* out, int* count, int limit, int n) {
    __shared__ int number, first;
    if (threadIdx.x == 0) number = 0;
    __syncthreads();
    const int i = global_x();
    const bool taken = i < n && x[i] < limit;
    const unsigned mask = __ballot_sync(~0u, taken);
    int at = 0;
    if (threadIdx.x % 32 == 0) at = atomicAdd(&number, __popc(mask));
    at = __shfl_sync(~0u, at, 0) + __popc(mask & (1u << threadIdx.x % 32) - 1);
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(count, number);
    __syncthreads();
    if (taken) out[(first + at) & (1 << 22) - 1] = x[i];
}

KERNEL r_visit_neighbours(const int* __restrict__ start, const int* __restrict__ target, const int* __restrict__ frontier, const int* level, int* next,
                          int* count, int now, int size) {
    const int i = global_x() / 32;
    if (i >= size) return;
    const int v = frontier[i];
    for (int k = start[v] + threadIdx.x % 32; k < start[v + 1]; k += 32)
        if (level[target[k]] == now) next[atomicAdd(count, 1) & (1 << 22) - 1] = target[k];
}

// ---- keys to their bins: ranks in shared memory, then places in global memory
KERNEL r_scatter_to_bins(const unsigned* __restrict__ key, const int* __restrict__ first, unsigned* out, int n) {
    __shared__ int number[256], base[256];
    number[threadIdx.x] = 0;
    __syncthreads();
    unsigned mine[8];
    int rank[8];
    for (int q = 0; q < 8; ++q) {
        mine[q] = key[blockIdx.x * 2048 + q * 256 + threadIdx.x];
        rank[q] = atomicAdd(&number[mine[q] & 255], 1);
    }
    __syncthreads();
    base[threadIdx.x] = first[threadIdx.x] + blockIdx.x * 8 * (threadIdx.x & 1) + blockIdx.x * 4;
    __syncthreads();
    for (int q = 0; q < 8; ++q) out[(base[mine[q] & 255] + rank[q]) % n] = mine[q];
}

KERNEL r_count_words(const int* __restrict__ word, int* number, int n) {
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(number + word[i], 1);
}

KERNEL r_sum_by_key(const int* __restrict__ key, const float* __restrict__ value, float* sum, int n) {
    const int i = global_x();
    if (i < n) atomicAdd(sum + key[i], value[i]);
}

// ---- a hash table: keys are looked up, at most 32 steps
KERNEL r_look_up(const unsigned* __restrict__ table, const unsigned* __restrict__ key, int* found, unsigned mask, int n) {
    const int i = global_x();
    if (i >= n) return;
    const unsigned k = key[i];
    unsigned at = k * 2654435769u >> 7 & mask;
    int steps = 0;
    while (steps < 32 && table[at] != k && table[at] != 0) {
        at = at + 1 & mask;
        ++steps;
    }
    found[i] = steps;
}

// ---- labels of neighbours: the smaller wins, one step of connected components
KERNEL r_smaller_label(const int* __restrict__ start, const int* __restrict__ target, const int* __restrict__ label, int* out, int n) {
    const int v = global_x();
    if (v >= n) return;
    int least = label[v];
    for (int k = start[v]; k < start[v + 1]; ++k) least = min(least, label[target[k]]);
    out[v] = least;
}

// ---- bisection of sorted numbers, and a merge of two lists by pieces of 8
KERNEL r_merge_pieces(const int* __restrict__ a, const int* __restrict__ b, int* out, int n) {
    const int first = global_x() * 8;
    if (first >= 2 * n) return;
    int low = max(0, first - n), high = min(first, n);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] < b[first - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    int i = low, j = first - low;
    for (int k = 0; k < 8; ++k) {
        const bool left = j >= n || (i < n && a[i] <= b[j]);
        out[first + k] = left ? a[i++] : b[j++];
    }
}

// ---- rays through a grid of cells until something is met
KERNEL r_march(const unsigned char* __restrict__ full, int* steps, int n, int width) {
    const int x = global_x(), y = global_y();
    const float fx = 0.3f + 0.4f * x / width, fy = 0.2f + 0.6f * y / width, fz = 1.0f;
    float px = x % n, py = y % n, pz = 0;
    int k = 0;
    for (; k < 4 * n; ++k) {
        const int i = static_cast<int>(px), j = static_cast<int>(py), l = static_cast<int>(pz);
        if (i >= n || j >= n || l >= n || full[(l * n + j) * n + i]) break;
        px += fx;
        py += fy;
        pz += fz;
    }
    steps[y * width + x] = k;
}
