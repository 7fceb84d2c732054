// Steps of factorisations and tables along diagonals: grids and loops that shrink, grow or end early.
#include "../kernels/common.cuh"

KERNEL cholesky_column(float* a, int n, int k) {  // rows below the pivot, one thread each
    const int row = k + 1 + global_x();
    if (row >= n) return;
    float sum = a[row * n + k];
    for (int j = 0; j < k; ++j) sum -= a[row * n + j] * a[k * n + j];
    a[row * n + k] = sum / sqrtf(fabsf(a[k * n + k]) + 1.0f);
}

KERNEL eliminate_rows(const double* __restrict__ pivot, double* a, int n, int k) {  // trailing part of an LU step
    const int column = k + 1 + global_x(), row = k + 1 + blockIdx.y * 4 + threadIdx.y;
    if (column >= n || row >= n) return;
    a[row * n + column] -= pivot[row] * pivot[n + column];
}

KERNEL pivot_search(const float* __restrict__ a, int* where, int n, int k) {  // one block, a column
    __shared__ float best[256];
    __shared__ int row[256];
    const int t = threadIdx.x;
    best[t] = -1;
    for (int r = k + t; r < n; r += 256)
        if (fabsf(a[r * n + k]) > best[t]) {
            best[t] = fabsf(a[r * n + k]);
            row[t] = r;
        }
    __syncthreads();
    for (int step = 128; step; step /= 2) {
        if (t < step && best[t + step] > best[t]) {
            best[t] = best[t + step];
            row[t] = row[t + step];
        }
        __syncthreads();
    }
    if (t == 0) where[0] = row[0];
}

KERNEL solve_levels(const int* __restrict__ rows, const int* __restrict__ columns, const double* __restrict__ values,
                    const double* __restrict__ b, const double* __restrict__ known, double* x, int first, int count) {
    const int k = global_x();
    if (k >= count) return;
    const int row = first + k;
    double sum = b[row], diagonal = 1;
    for (int e = rows[row]; e < rows[row + 1]; ++e) {
        const int c = columns[e];
        if (c < row) sum -= values[e] * known[c];
        else if (c == row) diagonal = values[e];
    }
    x[row] = sum / diagonal;
}

KERNEL edit_diagonal(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, const int* __restrict__ before,
                     const int* __restrict__ last, int* now, int n, int diagonal) {  // a cell of one antidiagonal each
    const int low = max(0, diagonal - n + 1), high = min(diagonal, n - 1), i = low + global_x();
    if (i > high) return;
    const int j = diagonal - i;
    const int change = before[i] + (a[i] != b[j]);
    now[i + 1] = min(change, min(last[i], last[i + 1]) + 1);
}

KERNEL edit_pairs(const unsigned char* __restrict__ text, const int* __restrict__ begin, int* distance, int pairs) {
    __shared__ unsigned char line[32][128];  // a pair of strings each thread, rows kept in shared memory
    const int p = global_x(), t = threadIdx.x;
    if (p >= pairs) return;
    const int first = begin[p], n = min(begin[p + 1] - first, 32);
    const int other = begin[pairs - p - 1], m = min(begin[pairs - p] - other, 32);
    for (int j = 0; j < m; ++j) line[j][t] = j + 1;
    for (int i = 0; i < n; ++i) {
        int corner = i, left = i + 1;
        for (int j = 0; j < m; ++j) {
            const int above = line[j][t];
            const int best = min(corner + (text[first + i] != text[other + j]), min(above, left) + 1);
            corner = above;
            line[j][t] = best;
            left = best;
        }
    }
    distance[p] = m ? line[m - 1][t] : n;
}

KERNEL knapsack_row(const int* __restrict__ before, int* now, int capacity, int weight, int value) {
    const int c = global_x();
    if (c > capacity) return;
    const int without = before[c];
    now[c] = c < weight ? without : max(without, before[c - weight] + value);
}

KERNEL chain_order(float* cost, const float* __restrict__ size, int n, int length) {  // best split of every interval of a length
    const int i = global_x(), j = i + length;
    if (j >= n) return;
    float best = 1e30f;
    for (int k = i; k < j; ++k) {
        const float now = cost[i * n + k] + cost[(k + 1) * n + j] + size[i] * size[k + 1] * size[j + 1];
        best = fminf(best, now);
    }
    cost[i * n + j] = best * 1e-3f;
}

KERNEL viterbi_step(const float* __restrict__ before, const float* __restrict__ step, float* now, int* from, int states) {
    extern __shared__ float score[];
    for (int s = threadIdx.x; s < states; s += blockDim.x) score[s] = before[blockIdx.y * states + s];
    __syncthreads();
    const int to = global_x();
    if (to >= states) return;
    float best = -1e30f;
    int which = 0;
    for (int s = 0; s < states; ++s) {
        const float x = score[s] + step[s * states + to];
        if (x > best) {
            best = x;
            which = s;
        }
    }
    now[blockIdx.y * states + to] = best;
    from[blockIdx.y * states + to] = which;
}
