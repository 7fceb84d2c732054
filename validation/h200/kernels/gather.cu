// Accesses through an index array, chains of pointers, sparse matrices and a breadth-first step.
#include "common.cuh"

KERNEL gather_f32(const int* index, const float* a, float* b, int n) {
    const int i = global_x();
    if (i < n) b[i] = a[index[i]];
}

KERNEL scatter_f32(const int* index, const float* a, float* b, int n) {
    const int i = global_x();
    if (i < n) b[index[i]] = a[i];
}

KERNEL gather_f64x2(const int* index, const double2* a, double2* b, int n) {  // 16 bytes at a time
    const int i = global_x();
    if (i < n) b[i] = a[index[i]];
}

KERNEL chase(const int* next, int* last, int hops) {  // a chain for each thread
    int at = global_x();
    for (int k = 0; k < hops; ++k) at = next[at];
    last[global_x()] = at;
}

KERNEL spmv_scalar(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
}

KERNEL spmv_vector(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}

KERNEL spmv_ell(const int* column, const float* value, const float* x, float* y, int rows, int width) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[column[k * rows + row]];
    y[row] = sum;
}

// Vertices of the present level mark the neighbours that are still without one.
KERNEL bfs_step(const int* start, const int* neighbour, const int* level, int* next, int now, int vertices) {
    const int v = global_x();
    if (v >= vertices || level[v] != now) return;
    for (int k = start[v]; k < start[v + 1]; ++k) {
        const int to = neighbour[k];
        if (level[to] > now) next[to] = now + 1;
    }
}
