// Graphs, sparse matrices, histograms and scattered work: what they do depends on their contents.
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu
typedef unsigned U;
typedef unsigned long long L;
typedef unsigned char B;

KERNEL k_walk(int walkers, int steps, const int* start, const int* edges, int* out)
{
    int i = AT, at = i;
    if (i >= walkers) return;
    U s = i * 747796405u + 1;
    for (int k = 0; k < steps; k++) {
        int first = start[at], degree = start[at + 1] - first;
        if (degree == 0) break;
        s = s * 1664525u + 1013904223u;
        at = edges[first + (s >> 8) % degree];
        out[k * walkers + i] = at;
    }
}
KERNEL k_pull_ranks(int n, const int* start, const int* edges, const float* share, float* rank)
{
    int v = AT;
    if (v >= n) return;
    float s = 0;
    for (int e = start[v]; e < start[v + 1]; e++) s += share[edges[e]];
    rank[v] = 0.15f / n + 0.85f * s;
}
KERNEL k_bottom_up(int n, int level, const int* start, const int* edges, const int* depth, int* out)
{
    int v = AT;
    if (v >= n || depth[v] >= 0) return;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (depth[edges[e]] == level) {
            out[v] = level + 1;
            break;
        }
}
KERNEL k_bellman(int edges, const int* from, const int* to, const int* weight, const int* before, int* after)
{
    int e = AT;
    if (e >= edges) return;
    int d = before[from[e]];
    if (d < 1 << 29) atomicMin(&after[to[e]], d + weight[e]);
}
KERNEL k_triangles(int edges, const int* from, const int* to, const int* start, const int* neighbours, int* out)
{
    int e = AT;
    if (e >= edges) return;
    int u = from[e], v = to[e], p = start[u], q = start[v], pe = start[u + 1], qe = start[v + 1], c = 0;
    while (p < pe && q < qe) {
        int a = neighbours[p], b = neighbours[q];
        c += a == b;
        p += a <= b;
        q += b <= a;
    }
    out[e] = c;
}
KERNEL k_luby(int n, const int* start, const int* edges, const U* priority, const int* state, int* out)
{
    int v = AT;
    if (v >= n || state[v]) return;
    U mine = priority[v];
    bool best = true;
    for (int e = start[v]; e < start[v + 1] && best; e++) {
        int w = edges[e];
        if (state[w] == 0 && priority[w] > mine) best = false;
    }
    if (best) out[v] = 1;
}
KERNEL k_common_label(int n, const int* start, const int* edges, const int* label, int* out)
{
    int v = AT / 32, lane = threadIdx.x & 31;
    if (v >= n) return;
    int least = label[v];
    for (int e = start[v] + lane; e < start[v + 1]; e += 32) least = min(least, label[edges[e]]);
    least = __reduce_min_sync(ALL, least);
    if (lane == 0) out[v] = least;
}
KERNEL k_spmv_ell(int rows, int width, const int* columns, const float* values, const float* x, float* y)
{
    int r = AT;
    if (r >= rows) return;
    float s = 0;
    for (int k = 0; k < width; k++) {
        int c = columns[k * rows + r];
        if (c >= 0) s += values[k * rows + r] * x[c];
    }
    y[r] = s;
}
KERNEL k_sampled_product(int entries, int depth, const int* row, const int* column, const float* a, const float* b, float* out)
{
    int e = AT / 32, lane = threadIdx.x & 31;
    if (e >= entries) return;
    float s = 0;
    for (int k = lane; k < depth; k += 32) s += a[row[e] * depth + k] * b[column[e] * depth + k];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(ALL, s, o);
    if (lane == 0) out[e] = s;
}
KERNEL k_spmm(int rows, int width, const int* start, const int* columns, const float* values, const float* x, float* y)
{
    int r = blockIdx.x, c = threadIdx.x;
    float s = 0;
    for (int e = start[r]; e < start[r + 1]; e++) s += values[e] * x[columns[e] * width + c];
    y[r * width + c] = s;
}
KERNEL k_lower_solve(int rows, const int* start, const int* columns, const float* values, const float* b, volatile float* x, volatile int* ready)
{
    int r = AT / 32, lane = threadIdx.x & 31;
    if (r >= rows) return;
    float s = 0;
    for (int e = start[r] + lane; e < start[r + 1]; e += 32) {
        int c = columns[e];
        while (ready[c] == 0) {}
        s += values[e] * x[c];
    }
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(ALL, s, o);
    if (lane == 0) {
        x[r] = b[r] - s;
        __threadfence();
        ready[r] = 1;
    }
}
KERNEL k_histogram_rows(int rows, int columns, const B* data, int* out)
{
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < columns; k += 256) atomicAdd(&bins[data[(size_t)blockIdx.x * columns + k]], 1);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}
KERNEL k_local_histogram(int lists, int length, const B* data, B* mode)
{
    int i = AT;
    if (i >= lists) return;
    unsigned short c[64];
    for (int k = 0; k < 64; k++) c[k] = 0;
    for (int k = 0; k < length; k++) c[data[k * lists + i] & 63]++;
    int best = 0;
    for (int k = 1; k < 64; k++)
        if (c[k] > c[best]) best = k;
    mode[i] = best;
}
// bytecode of a small machine: every thread runs the program on its own value
KERNEL k_interpreter(int n, int length, const int* code, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    float stack[8], a = x[i];
    int top = 0;
    stack[0] = a;
    for (int pc = 0; pc < length; pc++) {
        int op = code[2 * pc], arg = code[2 * pc + 1];
        switch (op) {
            case 0: stack[top] += arg; break;
            case 1: stack[top] *= 1.0f / (1 + arg); break;
            case 2: stack[(top + 1) & 7] = a; top = (top + 1) & 7; break;
            case 3: top = (top + 7) & 7; stack[top] += stack[(top + 1) & 7]; break;
            case 4: stack[top] = sqrtf(fabsf(stack[top])); break;
            case 5: stack[top] = fmaxf(stack[top], a); break;
            default: stack[top] = -stack[top];
        }
    }
    out[i] = stack[top];
}
KERNEL k_skewed_work(int n, const int* trips, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    float s = x[i];
    for (int k = 0; k < trips[i]; k++) s = s * 0.999f + 0.001f * k;
    out[i] = s;
}
KERNEL k_gather_popular(int n, const int* index, const float4* rows, float4* out)
{
    int i = AT;
    if (i < n) out[i] = rows[index[i]];
}
KERNEL k_scatter_add(int n, const int* index, const float* x, float* out)
{
    int i = AT;
    if (i < n) atomicAdd(&out[index[i]], x[i]);
}
KERNEL k_scatter_double(int n, const int* index, const double* x, double* out)
{
    int i = AT;
    if (i < n) atomicAdd(&out[index[i]], x[i]);
}
KERNEL k_max_float(int n, const int* index, const float* x, int* out)
{
    int i = AT;
    if (i >= n) return;
    int *to = &out[index[i]], old = *to;
    float v = x[i];
    while (__int_as_float(old) < v) {
        int was = atomicCAS(to, old, __float_as_int(v));
        if (was == old) break;
        old = was;
    }
}
KERNEL k_early_find(int n, int wanted, const int* x, int* out)
{
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    for (int first = blockIdx.x * n; first < (blockIdx.x + 1) * n; first += blockDim.x) {
        if (x[first + threadIdx.x] == wanted) found = first + threadIdx.x;
        __syncthreads();
        if (found) break;
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = found;
}
