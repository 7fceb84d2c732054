// Graph traversal, sparse products and searches whose loops depend on what the arrays hold.
// Inputs and outputs are apart, so that a launch does the same work each time.
#include "../kernels/common.cuh"

KERNEL bfs_vertices(const int* __restrict__ rows, const int* __restrict__ columns, const int* __restrict__ level,
                    unsigned char* next, int* changed, int current, int n) {
    const int v = global_x();
    if (v >= n || level[v] != current) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int u = columns[e];
        if (level[u] < 0) {
            next[u] = 1;
            *changed = 1;
        }
    }
}

KERNEL bfs_queue(const int* __restrict__ rows, const int* __restrict__ columns, const int* __restrict__ level,
                 const int* __restrict__ queue, int* next, int* length, int count, int mask) {
    for (int k = global_x(); k < count; k += gridDim.x * blockDim.x) {
        const int v = queue[k];
        for (int e = rows[v]; e < rows[v + 1]; ++e) {
            const int u = columns[e];
            if (level[u] < 0) next[atomicAdd(length, 1) & mask] = u;
        }
    }
}

KERNEL bfs_bottom_up(const int* __restrict__ rows, const int* __restrict__ columns, const int* __restrict__ level, int* parent,
                     int current, int n) {
    const int v = global_x();
    if (v >= n || level[v] >= 0) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e)
        if (level[columns[e]] == current) {
            parent[v] = columns[e];
            return;
        }
}

KERNEL spmv_row_thread(const int* __restrict__ rows, const int* __restrict__ columns, const float* __restrict__ values,
                       const float* __restrict__ x, float* y, int n) {
    const int row = global_x();
    if (row >= n) return;
    float sum = 0;
    for (int e = rows[row]; e < rows[row + 1]; ++e) sum += values[e] * x[columns[e]];
    y[row] = sum;
}

KERNEL spmv_row_warp(const int* __restrict__ rows, const int* __restrict__ columns, const double* __restrict__ values,
                     const double* __restrict__ x, double* y, int n) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    double sum = 0;
    for (int e = rows[row] + lane; e < rows[row + 1]; e += 32) sum += values[e] * x[columns[e]];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}

KERNEL pagerank_push(const int* __restrict__ rows, const int* __restrict__ columns, const float* __restrict__ rank, float* next,
                     int n) {
    const int v = global_x();
    if (v >= n) return;
    const int begin = rows[v], end = rows[v + 1];
    if (begin == end) return;
    const float share = 0.85f * rank[v] / (end - begin);
    for (int e = begin; e < end; ++e) atomicAdd(&next[columns[e]], share);
}

KERNEL triangles(const int* __restrict__ rows, const int* __restrict__ columns, int* count, int n) {
    const int v = global_x();
    if (v >= n) return;
    int found = 0;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int u = columns[e];
        int a = rows[v], b = rows[u];
        while (a < rows[v + 1] && b < rows[u + 1]) {
            const int x = columns[a], y = columns[b];
            found += x == y;
            a += x <= y;
            b += y <= x;
        }
    }
    if (found) count[v] = found;
}

KERNEL resample_linear(const float* __restrict__ cdf, const float* __restrict__ u, int* index, int n) {
    const int i = global_x();
    if (i >= n) return;
    int found = n - 1;
    for (int k = 0; k < n; ++k)
        if (cdf[k] >= u[i]) {
            found = k;
            break;
        }
    index[i] = found;
}

KERNEL resample_bisect(const float* __restrict__ cdf, const float* __restrict__ u, int* index, int n) {
    const int i = global_x();
    if (i >= n) return;
    int low = 0, high = n - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (cdf[middle] < u[i]) low = middle + 1;
        else high = middle;
    }
    index[i] = low;
}

KERNEL merge_lists(const int* __restrict__ begin, const int* __restrict__ a, const int* __restrict__ b, int* out, int lists,
                   int length) {
    const int k = global_x();
    if (k >= lists) return;
    int i = 0, j = 0;
    const int first = begin[k], mine = begin[k + 1] - first;
    for (int o = 0; o < length && i < mine && j < mine; ++o) {
        const bool left = a[first + i] <= b[first + j];
        out[first + o] = left ? a[first + i] : b[first + j];
        i += left;
        j += !left;
    }
}

KERNEL hash_probe(const unsigned* __restrict__ keys, const unsigned* __restrict__ table, unsigned* value, int n, unsigned mask) {
    const int i = global_x();
    if (i >= n) return;
    const unsigned key = keys[i];
    unsigned slot = key * 2654435761u & mask;
    while (table[slot] != key && table[slot] != 0xffffffffu) slot = (slot + 1) & mask;
    value[i] = slot;
}

KERNEL chain_walk(const int* __restrict__ next, int* out, int steps, int count) {
    const int i = global_x();
    if (i >= count) return;
    int at = i;
    for (int k = 0; k < steps; ++k) at = next[at];
    out[i] = at;
}
