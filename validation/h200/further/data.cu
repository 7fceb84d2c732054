// Sorting, searching, sparse matrices, graphs, texts and tables as users write them.
#define KERNEL extern "C" __global__ void
#define FULL 0xffffffffu
typedef unsigned U;

// 1024 keys a block, sorted in shared memory
KERNEL v_bitonic_tile(const U* keys, U* out)
{
    __shared__ U s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = keys[blockIdx.x * 1024 + i];
    for (int k = 2; k <= 1024; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            __syncthreads();
            for (int t = threadIdx.x; t < 512; t += blockDim.x) {
                int i = 2 * j * (t / j) + t % j;
                bool up = (i & k) == 0;
                U a = s[i], b = s[i + j];
                if (a > b == up) s[i] = b, s[i + j] = a;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[blockIdx.x * 1024 + i] = s[i];
}
// one block sorts by neighbours' exchanges
KERNEL v_odd_even(int n, const int* a, int* out)
{
    extern __shared__ int raw[];
    int* s = raw;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = a[blockIdx.x * n + i];
    __syncthreads();
    for (int step = 0; step < n; step++) {
        int i = 2 * threadIdx.x + (step & 1);
        if (i + 1 < n && s[i] > s[i + 1]) {
            int t = s[i];
            s[i] = s[i + 1];
            s[i + 1] = t;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = s[i];
}
// counts of sixteen digits in each tile: one counter a thread and digit, then summed
KERNEL v_digit_counts(int n, int shift, const U* keys, U* counts)
{
    __shared__ unsigned short c[16][129];
    int t = threadIdx.x;
    for (int d = 0; d < 16; d++) c[d][t] = 0;
    for (int k = 0; k < 16; k++) {
        int i = blockIdx.x * 2048 + k * 128 + t;
        if (i < n) c[keys[i] >> shift & 15][t]++;
    }
    __syncthreads();
    if (t < 16) {
        U s = 0;
        for (int i = 0; i < 128; i++) s += c[t][i];
        counts[t * gridDim.x + blockIdx.x] = s;
    }
}
// places of one bit: ballots within warps, sums over warps, then written in order
KERNEL v_split_bit(int bit, const U* keys, const U* zeros_before, U total_zeros, U* out)
{
    __shared__ U ones[8];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, w = threadIdx.x / 32;
    U key = keys[i], one = key >> bit & 1, b = __ballot_sync(FULL, one);
    if (lane == 0) ones[w] = __popc(b);
    __syncthreads();
    U before = __popc(b & ((1u << lane) - 1));
    for (int k = 0; k < w; k++) before += ones[k];
    U zeros = zeros_before[blockIdx.x], at = one ? total_zeros + blockIdx.x * 256 - zeros + before : zeros + threadIdx.x - before;
    out[at & 0xfffff] = key;
}
// two sorted lists: each thread finds its diagonal and merges eight
KERNEL v_merge_eight(int n, const int* a, const int* b, int* out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, diagonal = t * 8, low = max(0, diagonal - n), high = min(diagonal, n);
    while (low < high) {
        int mid = (low + high) / 2;
        if (a[mid] <= b[diagonal - 1 - mid]) low = mid + 1;
        else high = mid;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < 8; k++) {
        bool left = j >= n || (i < n && a[i] <= b[j]);
        out[diagonal + k] = left ? a[i++] : b[j++];
    }
}
// sparse rows in slices of 32, each as long as its longest row
KERNEL v_slices(int rows, const int* start, const int* column, const float* value, const float* x, float* y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int s = row / 32, lane = row % 32, first = start[s], last = start[s + 1];
    float sum = 0;
    for (int p = first + lane; p < last; p += 32) sum += value[p] * x[column[p]];
    y[row] = sum;
}
// blocks of 4 x 4, four threads a row of blocks
KERNEL v_block_rows(int rows, const int* start, const int* column, const float4* value, const float4* x, float* y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, row = t / 4, r = t % 4;
    if (row >= rows) return;
    float s = 0;
    for (int p = start[row]; p < start[row + 1]; p++) {
        float4 v = value[p * 4 + r], u = x[column[p]];
        s += v.x * u.x + v.y * u.y + v.z * u.z + v.w * u.w;
    }
    y[row * 4 + r] = s;
}
// one thread a row, double precision
KERNEL v_csr_double(int rows, const int* start, const int* column, const double* value, const double* x, double* y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double s = 0;
    for (int p = start[row]; p < start[row + 1]; p++) s += value[p] * x[column[p]];
    y[row] = s;
}
// entries of a sparse matrix, a segmented sum in each warp and atomics at its borders
KERNEL v_entries(int n, const int* row, const int* column, const float* value, const float* x, float* y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int r = i < n ? row[i] : -1;
    float s = i < n ? value[i] * x[column[i]] : 0;
    for (int o = 1; o < 32; o *= 2) {
        float other = __shfl_up_sync(FULL, s, o);
        int whose = __shfl_up_sync(FULL, r, o);
        if (lane >= o && whose == r) s += other;
    }
    int next = __shfl_down_sync(FULL, r, 1);
    if (i < n && (lane == 31 || next != r)) atomicAdd(&y[r], s);
}
// components of a graph: each edge finds both roots and hooks the larger
KERNEL v_unite(int n, const int* from, const int* to, int* parent)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;
    int a = from[e], b = to[e];
    while (parent[a] != a) a = parent[a];
    while (parent[b] != b) b = parent[b];
    if (a != b) atomicMin(&parent[max(a, b)], min(a, b));
}
KERNEL v_compress(int n, const int* parent, int* root)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int p = parent[i];
    while (p != parent[p]) p = parent[p];
    root[i] = p;
}
KERNEL v_floyd_step(int n, int k, float* d)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    __shared__ float via;
    if (threadIdx.x == 0) via = d[i * n + k];
    __syncthreads();
    d[i * n + j] = fminf(d[i * n + j], via + d[k * n + j]);
}
// the smallest colour that no neighbour has, of vertices whose turn it is
KERNEL v_colour(int n, int turn, const int* start, const int* neighbour, const int* priority, int* colour)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || priority[v] % 4 != turn) return;
    unsigned long long used = 0;
    for (int p = start[v]; p < start[v + 1]; p++) {
        int c = colour[neighbour[p]];
        if (c > 0) used |= 1ull << (c & 63);
    }
    colour[v] = __ffsll(~(used | 1ull)) - 1;
}
// a table with open addresses: keys are put in with compare-and-swap
KERNEL v_table_insert(int n, U mask, const U* keys, U* table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    U key = keys[i] + 1, at = key * 2654435761u >> 7 & mask;
    for (int tries = 0; tries < 64; tries++) {
        U old = atomicCAS(&table[at], 0u, key);
        if (old == 0 || old == key) return;
        at = at + 1 & mask;
    }
}
// a pattern of sixteen letters in a text; the text in shared memory, with what follows
KERNEL v_find_pattern(int n, int m, const unsigned char* text, const unsigned char* pattern, int* found)
{
    __shared__ unsigned char s[1024 + 64], p[64];
    int base = blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024 + m; i += blockDim.x) s[i] = base + i < n ? text[base + i] : 0;
    if (threadIdx.x < m) p[threadIdx.x] = pattern[threadIdx.x];
    __syncthreads();
    int hits = 0;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
        int j = 0;
        while (j < m && s[i + j] == p[j]) j++;
        hits += j == m;
    }
    hits = __reduce_add_sync(FULL, hits);
    if (threadIdx.x % 32 == 0 && hits) atomicAdd(found, hits);
}
// an automaton of 64 states over bytes of four letters; each thread walks its own piece
KERNEL v_automaton(int piece, const unsigned char* text, const int* next, int* last)
{
    __shared__ int t[256];
    t[threadIdx.x] = next[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x, state = 0, ends = 0;
    const uchar4* mine = (const uchar4*)(text + (size_t)i * piece);
    for (int k = 0; k < piece / 4; k++) {
        uchar4 c = mine[k];
        state = t[state * 4 + c.x];
        state = t[state * 4 + c.y];
        state = t[state * 4 + c.z];
        state = t[state * 4 + c.w];
        ends += state == 63;
    }
    last[i] = state + ends;
}
// checksums of pieces by a table in shared memory, pieces apart
KERNEL v_checksum(int words, const U* data, const U* table, U* out)
{
    __shared__ U t[256];
    t[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x, pieces = gridDim.x * 256;
    U c = ~0u;
    for (int k = 0; k < words; k++) {
        U w = data[k * pieces + i];
        for (int b = 0; b < 4; b++, w >>= 8) c = t[(c ^ w) & 255] ^ c >> 8;
    }
    out[i] = ~c;
}
// three bytes to four letters
__constant__ char letters[64];
KERNEL v_letters(int n, const unsigned char* in, uchar4* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out[i] = make_uchar4(letters[a >> 2], letters[(a & 3) << 4 | b >> 4], letters[(b & 15) << 2 | c >> 6], letters[c & 63]);
}
// sums and counts of clusters: shared sums with atomics, then global ones
KERNEL v_cluster_sums(int n, int k, const float4* points, const int* nearest, float* sums)
{
    extern __shared__ int raw[];
    float* s = (float*)raw;
    for (int i = threadIdx.x; i < 5 * k; i += blockDim.x) s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 p = points[i];
        float* c = s + 5 * nearest[i];
        atomicAdd(c, p.x);
        atomicAdd(c + 1, p.y);
        atomicAdd(c + 2, p.z);
        atomicAdd(c + 3, p.w);
        atomicAdd(c + 4, 1.0f);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 5 * k; i += blockDim.x) atomicAdd(&sums[i], s[i]);
}
// the nearest eight of all points, sorted lists in registers
KERNEL v_nearest_eight(int n, const float4* q, const float4* points, float* out)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 me = q[i];
    float best[8];
    for (int k = 0; k < 8; k++) best[k] = 1e30f;
    for (int base = 0; base < n; base += 128) {
        __syncthreads();
        tile[threadIdx.x] = points[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            float4 p = tile[j];
            float dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z, d = dx * dx + dy * dy + dz * dz;
            if (d < best[7]) {
                best[7] = d;
#pragma unroll
                for (int k = 7; k > 0; k--)
                    if (best[k] < best[k - 1]) {
                        float t = best[k];
                        best[k] = best[k - 1];
                        best[k - 1] = t;
                    }
            }
        }
    }
    for (int k = 0; k < 8; k++) out[k * gridDim.x * 128 + i] = best[k];
}
// rows of 64 numbers to other places
KERNEL v_move_rows(int rows, const int* where, const float4* in, float4* out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, row = t / 16, c = t % 16;
    if (row < rows) out[where[row] * 16 + c] = in[row * 16 + c];
}
KERNEL v_reverse_bits(int bits, const float2* in, float2* out)
{
    U i = blockIdx.x * blockDim.x + threadIdx.x;
    out[__brev(i) >> (32 - bits)] = in[i];
}
KERNEL v_gather_pairs(int n, const int* index, const double2* in, double* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double2 v = in[index[i]];
        out[i] = v.x * v.x + v.y * v.y;
    }
}
// sums of rows that have been scanned tile by tile: the tile's offset is added
KERNEL v_add_before(int n, const int* before, int4* data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, add = before[blockIdx.x];
    if (i < n) {
        int4 v = data[i];
        data[i] = make_int4(v.x + add, v.y + add, v.z + add, v.w + add);
    }
}
