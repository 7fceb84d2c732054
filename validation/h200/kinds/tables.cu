// Tables, texts, sequences, sorts and trees: what they do depends on their contents.
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu
typedef unsigned U;
typedef unsigned long long L;
typedef unsigned char B;

KERNEL k_join_count(int n, U mask, const int* head, const int* next, const U* built, const U* keys, int* found)
{
    int i = AT;
    if (i >= n) return;
    U key = keys[i];
    int c = 0;
    for (int at = head[key * 2654435761u >> 8 & mask]; at >= 0; at = next[at]) c += built[at] == key;
    found[i] = c;
}
KERNEL k_probe(int n, U mask, const U* table, const U* keys, U* out)
{
    int i = AT;
    if (i >= n) return;
    U key = keys[i], at = key * 2654435761u >> 7 & mask;
    while (table[at] && table[at] != key) at = at + 1 & mask;
    out[i] = table[at] ? at : ~0u;
}
KERNEL k_group_sums(int n, U mask, U* table, float* sums, const U* keys, const float* values)
{
    for (int i = AT; i < n; i += gridDim.x * blockDim.x) {
        U key = keys[i] + 1, at = key * 2654435761u >> 9 & mask;
        for (;;) {
            U old = atomicCAS(&table[at], 0, key);
            if (old == 0 || old == key) break;
            at = at + 1 & mask;
        }
        atomicAdd(&sums[at], values[i]);
    }
}
KERNEL k_lower_bound(int n, int size, const int* sorted, const int* keys, int* out)
{
    int i = AT;
    if (i >= n) return;
    int low = 0, count = size, key = keys[i];
    while (count > 0) {
        int half = count / 2;
        if (sorted[low + half] < key) low += half + 1, count -= half + 1;
        else count = half;
    }
    out[i] = low;
}
KERNEL k_interpolate_search(int n, int size, const int* sorted, const int* keys, int* out)
{
    int i = AT;
    if (i >= n) return;
    int low = 0, high = size - 1, key = keys[i], found = -1;
    while (low <= high && key >= sorted[low] && key <= sorted[high]) {
        int a = sorted[low], b = sorted[high];
        int at = a == b ? low : low + (int)((float)(key - a) / (float)(b - a) * (high - low));
        at = min(high, max(low, at));
        int v = sorted[at];
        if (v == key) {
            found = at;
            break;
        }
        if (v < key) low = at + 1;
        else high = at - 1;
    }
    out[i] = found;
}
KERNEL k_bloom(int n, U bits, const U* filter, const U* keys, B* out)
{
    int i = AT;
    if (i >= n) return;
    U h = keys[i], ok = 1;
    for (int k = 0; k < 5 && ok; k++) {
        h = h * 2246822519u + 374761393u;
        U at = (h ^ h >> 15) % bits;
        ok = filter[at >> 5] >> (at & 31) & 1;
    }
    out[i] = ok;
}
// strings of a column by offsets: length of common prefix with a needle, letters to upper case, hashes
KERNEL k_upper(int strings, const int* offsets, const B* text, B* out)
{
    int i = AT;
    if (i >= strings) return;
    for (int k = offsets[i]; k < offsets[i + 1]; k++) {
        B c = text[k];
        out[k] = c >= 'a' && c <= 'z' ? c - 32 : c;
    }
}
KERNEL k_hash_strings(int strings, const int* offsets, const B* text, U* out)
{
    int i = AT;
    if (i >= strings) return;
    U h = 2166136261u;
    for (int k = offsets[i]; k < offsets[i + 1]; k++) h = (h ^ text[k]) * 16777619u;
    out[i] = h;
}
KERNEL k_contains(int strings, const int* offsets, const B* text, const B* needle, int length, B* out)
{
    int i = AT;
    if (i >= strings) return;
    int first = offsets[i], last = offsets[i + 1] - length;
    bool hit = false;
    for (int k = first; k <= last && !hit; k++) {
        int j = 0;
        while (j < length && text[k + j] == needle[j]) j++;
        hit = j == length;
    }
    out[i] = hit;
}
KERNEL k_gather_strings(int rows, const int* from, const int* offsets, const int* out_offsets, const B* text, B* out)
{
    int r = AT / 32, lane = threadIdx.x & 31;
    if (r >= rows) return;
    int s = from[r], first = offsets[s], length = offsets[s + 1] - first;
    for (int k = lane; k < length; k += 32) out[out_offsets[r] + k] = text[first + k];
}
KERNEL k_automaton(int chunks, int length, const B* text, const B* table, int* out)
{
    __shared__ B next[16 * 256];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) next[k] = table[k];
    __syncthreads();
    int i = AT;
    if (i >= chunks) return;
    int state = 0, hits = 0;
    for (int k = 0; k < length; k++) {
        state = next[state * 256 + text[i * length + k]] & 15;
        hits += state == 15;
    }
    out[i] = hits;
}
__constant__ U crc_table[256] = {0, 0x77073096u, 0xee0e612cu, 0x990951bau};
KERNEL k_crc32(int packets, int length, const B* data, U* out)
{
    int i = AT;
    if (i >= packets) return;
    U c = ~0u;
    for (int k = 0; k < length; k++) c = c >> 8 ^ crc_table[(c ^ data[(size_t)i * length + k]) & 255];
    out[i] = ~c;
}
__constant__ B letters[64] = {'A', 'B', 'C', 'D', 'E', 'F'};
KERNEL k_base64(int triples, const B* in, uchar4* out)
{
    int i = AT;
    if (i >= triples) return;
    U v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    out[i] = make_uchar4(letters[v >> 18], letters[v >> 12 & 63], letters[v >> 6 & 63], letters[v & 63]);
}
KERNEL k_decode_varints(int chunks, const int* offsets, const B* bytes, const int* first, U* out)
{
    int i = AT;
    if (i >= chunks) return;
    int at = offsets[i], end = offsets[i + 1], o = first[i];
    while (at < end) {
        U v = 0, shift = 0, b;
        do {
            b = bytes[at++];
            v |= (b & 127) << shift;
            shift += 7;
        } while (b & 128 && at < end);
        out[o++] = v;
    }
}
KERNEL k_unpack_bits(int n, int width, const U* packed, U* out)
{
    int i = AT;
    if (i >= n) return;
    L bit = (L)i * width;
    int w = bit >> 5, s = bit & 31;
    L two = packed[w] | (L)packed[w + 1] << 32;
    out[i] = two >> s & ((1u << width) - 1);
}
KERNEL k_count_valid(int words, const U* mask, int* out)
{
    int s = 0;
    for (int i = AT; i < words; i += gridDim.x * blockDim.x) s += __popc(mask[i]);
    s = __reduce_add_sync(ALL, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}
KERNEL k_rolling_mean(int n, int window, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    float s = 0;
    int first = max(0, i - window + 1);
    for (int k = first; k <= i; k++) s += x[k];
    out[i] = s / (i - first + 1);
}
KERNEL k_edit_distance(int pairs, int length, const B* a, const B* b, int* out)
{
    int i = AT;
    if (i >= pairs) return;
    short row[65];
    for (int k = 0; k <= length; k++) row[k] = k;
    for (int r = 1; r <= length; r++) {
        short diagonal = row[0];
        row[0] = r;
        B c = a[i * length + r - 1];
        for (int k = 1; k <= length; k++) {
            short up = row[k], best = min(min(up, row[k - 1]) + 1, diagonal + (c != b[i * length + k - 1]));
            diagonal = up;
            row[k] = best;
        }
    }
    out[i] = row[length];
}
// one pair of sequences a block, by diagonals
KERNEL k_smith_waterman(int length, const B* a, const B* b, int* out)
{
    extern __shared__ int s[];
    int *d0 = s, *d1 = s + length + 1, *d2 = s + 2 * (length + 1), t = threadIdx.x, best = 0;
    B mine = a[blockIdx.x * length + t];
    for (int k = t; k <= length; k += blockDim.x) d0[k] = d1[k] = d2[k] = 0;
    __syncthreads();
    for (int diagonal = 0; diagonal < 2 * length - 1; diagonal++) {
        int j = diagonal - t;
        if (j >= 0 && j < length) {
            int v = max(max(0, d0[t] + (mine == b[blockIdx.x * length + j] ? 3 : -2)), max(d1[t], d1[t + 1]) - 1);
            d2[t + 1] = v;
            best = max(best, v);
        }
        __syncthreads();
        int* x = d0;
        d0 = d1, d1 = d2, d2 = x;
    }
    best = __reduce_max_sync(ALL, best);
    if (t % 32 == 0) atomicMax(&out[blockIdx.x], best);
}
KERNEL k_viterbi(int states, int steps, const float* transition, const float* emission, const int* observed, float* out)
{
    __shared__ float now[64], next[64];
    int s = threadIdx.x;
    now[s] = 0;
    for (int t = 0; t < steps; t++) {
        __syncthreads();
        float best = -1e30f;
        for (int p = 0; p < states; p++) best = fmaxf(best, now[p] + transition[p * states + s]);
        next[s] = best + emission[observed[blockIdx.x * steps + t] * states + s];
        __syncthreads();
        now[s] = next[s];
    }
    out[blockIdx.x * states + s] = now[s];
}
KERNEL k_count_kmers(int n, U mask, const B* bases, U* counts)
{
    int i = AT;
    if (i >= n - 16) return;
    U word = 0;
    for (int k = 0; k < 16; k++) word = word << 2 | (bases[i + k] & 3);
    atomicAdd(&counts[(word * 2654435761u >> 6) & mask], 1);
}
KERNEL k_hamming_scan(int reads, int places, const L* read, const L* genome, int* out)
{
    int i = AT;
    if (i >= reads) return;
    L r = read[i];
    int best = 99;
    for (int p = 0; p < places; p++) {
        L x = r ^ genome[p];
        best = min(best, __popcll((x | x >> 1) & 0x5555555555555555ull));
    }
    out[i] = best;
}
KERNEL k_insertion_sort(int lists, const int* in, int* out)
{
    int i = AT;
    if (i >= lists) return;
    int a[32];
    for (int k = 0; k < 32; k++) {
        int v = in[i * 32 + k], j = k;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
    for (int k = 0; k < 32; k++) out[i * 32 + k] = a[k];
}
KERNEL k_heap_select(int queries, int points, int wanted, const float* distance, float* out)
{
    int i = AT;
    if (i >= queries) return;
    float heap[16];
    for (int k = 0; k < wanted; k++) heap[k] = 1e30f;
    for (int p = 0; p < points; p++) {
        float d = distance[(size_t)p * queries + i];
        if (d >= heap[0]) continue;
        int at = 0;
        for (;;) {
            int child = 2 * at + 1;
            if (child >= wanted) break;
            if (child + 1 < wanted && heap[child + 1] > heap[child]) child++;
            if (heap[child] <= d) break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = d;
    }
    for (int k = 0; k < wanted; k++) out[k * queries + i] = heap[k];
}
KERNEL k_merge_paths(int n, int each, const int* a, const int* b, int* out)
{
    int i = AT, diagonal = i * each;
    if (diagonal >= 2 * n) return;
    int low = max(0, diagonal - n), high = min(diagonal, n);
    while (low < high) {
        int m = (low + high) / 2;
        if (a[m] <= b[diagonal - 1 - m]) low = m + 1;
        else high = m;
    }
    int p = low, q = diagonal - low;
    for (int k = 0; k < each && diagonal + k < 2 * n; k++) out[diagonal + k] = q >= n || (p < n && a[p] <= b[q]) ? a[p++] : b[q++];
}
KERNEL k_queens(int n, const U* starts, int count, U* out)
{
    int i = AT;
    if (i >= count) return;
    U all = (1u << n) - 1, stack_c[16], stack_l[16], stack_r[16], stack_f[16];
    int depth = 0, found = 0;
    U s = starts[i], c = s & all, l = (s << 1) & all, r = s >> 1;
    stack_c[0] = c, stack_l[0] = l, stack_r[0] = r, stack_f[0] = all & ~(c | l | r);
    while (depth >= 0) {
        U f = stack_f[depth];
        if (!f) {
            depth--;
            continue;
        }
        U bit = f & -f;
        stack_f[depth] = f ^ bit;
        U nc = stack_c[depth] | bit, nl = (stack_l[depth] | bit) << 1 & all, nr = (stack_r[depth] | bit) >> 1;
        if (nc == all) {
            found++;
            continue;
        }
        depth++;
        stack_c[depth] = nc, stack_l[depth] = nl, stack_r[depth] = nr, stack_f[depth] = all & ~(nc | nl | nr);
    }
    out[i] = found;
}
KERNEL k_knapsack(int capacity, int weight, int value, const int* before, int* after)
{
    int c = AT;
    if (c > capacity) return;
    int v = before[c];
    if (c >= weight) v = max(v, before[c - weight] + value);
    after[c] = v;
}
// a node box tree of triangles' boxes, walked with a stack; nodes are implicit, eight deep or more
KERNEL k_box_tree(int rays, int leaves, const float4* low, const float4* high, const float4* ray, int* out)
{
    int i = AT;
    if (i >= rays) return;
    float4 o = ray[2 * i], d = ray[2 * i + 1];
    int stack[24], top = 0, hits = 0;
    stack[top++] = 1;
    while (top) {
        int node = stack[--top];
        float4 a = low[node], b = high[node];
        float x0 = (a.x - o.x) / d.x, x1 = (b.x - o.x) / d.x, y0 = (a.y - o.y) / d.y, y1 = (b.y - o.y) / d.y, z0 = (a.z - o.z) / d.z, z1 = (b.z - o.z) / d.z;
        float near = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.f)), far = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
        if (near > far) continue;
        if (node >= leaves) hits++;
        else stack[top++] = 2 * node, stack[top++] = 2 * node + 1;
    }
    out[i] = hits;
}
