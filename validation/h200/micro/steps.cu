// Steps of irregular programs, each with one thing that varies: where stores go, how rows are shared out, how long chains are.
#define KERNEL extern "C" __global__ void
__device__ inline int at() { return blockIdx.x * blockDim.x + threadIdx.x; }
#define IN const int* __restrict__

// ---- stores of single words and bytes
KERNEL s_bytes(IN where, unsigned char* to, int n, int rounds) {
    for (int r = 0; r < rounds; ++r) to[where[r * n + at()]] = 1;
}
KERNEL s_words(IN where, int* to, int n, int rounds) {
    for (int r = 0; r < rounds; ++r) to[where[r * n + at()]] = r;
}
KERNEL s_flag(IN value, int* flag, int n, int rounds, int rare) {  // all that find something store to one word
    for (int r = 0; r < rounds; ++r)
        if (value[r * n + at()] < rare) *flag = 1;
}
KERNEL s_flag_and_read(IN value, IN table, int* flag, int* out, int n, int rounds, int rare) {  // and read at random
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
        const int v = value[r * n + at()];
        sum += table[v];
        if (v < rare) *flag = 1;
    }
    if (sum == -1) *out = sum;
}
// ---- graphs
KERNEL g_pull_min(IN rows, IN columns, const float* __restrict__ distance, float* out, int n) {
    const int v = at();
    if (v >= n) return;
    float best = distance[v];
    for (int e = rows[v]; e < rows[v + 1]; ++e) best = fminf(best, distance[columns[e]] + 1);
    out[v] = best;
}
KERNEL g_pull_warp(IN rows, IN columns, const float* __restrict__ distance, float* out, int n) {
    const int v = at() / 32, lane = threadIdx.x % 32;
    if (v >= n) return;
    float best = 1e30f;
    for (int e = rows[v] + lane; e < rows[v + 1]; e += 32) best = fminf(best, distance[columns[e]] + 1);
    for (int k = 16; k; k /= 2) best = fminf(best, __shfl_xor_sync(~0u, best, k));
    if (lane == 0) out[v] = best;
}
KERNEL g_mark_warp(IN rows, IN columns, IN level, unsigned char* next, int* changed, int current, int n) {
    const int v = at() / 32, lane = threadIdx.x % 32;
    if (v >= n || level[v] != current) return;
    bool any = false;
    for (int e = rows[v] + lane; e < rows[v + 1]; e += 32)
        if (level[columns[e]] < 0) next[columns[e]] = 1, any = true;
    if (__any_sync(__activemask(), any) && lane == 0) *changed = 1;
}
KERNEL g_count_degree(IN columns, int* count, int edges) {
    const int e = at();
    if (e < edges) atomicAdd(&count[columns[e]], 1);
}
KERNEL g_push_min(IN rows, IN columns, IN distance, int* next, int n) {
    const int v = at();
    if (v >= n) return;
    const int mine = distance[v] + 1;
    for (int e = rows[v]; e < rows[v + 1]; ++e) atomicMin(&next[columns[e]], mine);
}
KERNEL g_products(IN rows, IN columns, const float* __restrict__ value, const float* __restrict__ x, float* y, int n) {  // eight right-hand sides
    const int v = at() / 8, k = at() % 8;
    if (v >= n) return;
    float sum = 0;
    for (int e = rows[v]; e < rows[v + 1]; ++e) sum += value[e] * x[columns[e] * 8 + k];
    y[v * 8 + k] = sum;
}
// ---- steps of factorisations and of dynamic programming
KERNEL f_update(float* a, int n, int k) {
    const int j = k + 1 + at(), i = k + 1 + blockIdx.y;
    if (j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
KERNEL f_panel(float* a, int n, int k, int width) {  // one block
    for (int p = k; p < k + width; ++p) {
        for (int i = p + 1 + threadIdx.x; i < n; i += blockDim.x) {
            const float m = a[i * n + p] / a[p * n + p];
            a[i * n + p] = m;
            for (int j = p + 1; j < k + width; ++j) a[i * n + j] -= m * a[p * n + j];
        }
        __syncthreads();
    }
}
KERNEL d_diagonal(IN x, IN y, int* cost, int n, int diagonal) {
    const int i = at() + 1, j = diagonal - i;
    if (i >= n || j < 1 || j >= n) return;
    const int same = cost[(i - 1) * n + j - 1] + (x[i] != y[j]);
    cost[i * n + j] = min(same, min(cost[(i - 1) * n + j], cost[i * n + j - 1]) + 1);
}
KERNEL d_split(const float* __restrict__ left, const float* __restrict__ right, float* out, int n, int length) {  // rows of one, columns of the other
    const int i = at();
    if (i + length >= n) return;
    float best = 1e30f;
    for (int k = 0; k < length; ++k) best = fminf(best, left[i * n + i + k] + right[(i + k) * n + i + length]);
    out[i] = best;
}
// ---- copies, scans, counts
KERNEL c_children(IN first, int* parent, int n) {
    const int i = at();
    if (i >= n) return;
    for (int k = first[i]; k < first[i + 1]; ++k) parent[k] = i;
}
KERNEL c_scan(IN in, int* out, int* sums) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    int x = in[at()];
    s[t] = x;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        const int y = t >= d ? s[t - d] : 0;
        __syncthreads();
        x += y;
        s[t] = x;
    }
    out[at()] = x;
    if (t == 255) sums[blockIdx.x] = x;
}
KERNEL c_private(IN bins, int* out, int each) {
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = 0;
    __syncthreads();
    for (int k = 0; k < each; ++k) atomicAdd(&s[bins[(blockIdx.x * each + k) * blockDim.x + threadIdx.x]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        if (s[k]) atomicAdd(&out[k], s[k]);
}
KERNEL c_compact(IN in, int* out, int* count, int below) {
    const int v = in[at()];
    if (v < below) out[atomicAdd(count, 1)] = v;
}
KERNEL r_march(const unsigned char* __restrict__ volume, float* image, int n, float opaque) {
    const int x = at() % n, y = at() / n;
    float through = 1, sum = 0;
    for (int z = 0; z < n && through > opaque; ++z) {
        const float d = volume[(z * n + y) * n + x] * (1 / 255.0f);
        sum += through * d;
        through *= 1 - d * 0.25f;
    }
    image[at()] = sum;
}
KERNEL t_walk(IN keys, IN split, int* found, int depth) {
    const int key = keys[at()];
    int node = 0;
    for (int d = 0; d < depth; ++d) node = 2 * node + 1 + (key > split[node]);
    found[at()] = node;
}
