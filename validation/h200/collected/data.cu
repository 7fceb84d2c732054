// Graphs, sparse rows, sorts, counts, searches and uneven work in the manner of public collections.
#include <cooperative_groups.h>
#define KERNEL extern "C" __global__ void
#define FULL 0xffffffffu
typedef unsigned U;
namespace cg = cooperative_groups;

struct Node { int start, count; };
// a level of a breadth-first search by masks: every node looks whether it is on the frontier
KERNEL c_level(int n, const Node* nodes, const int* edges, const unsigned char* frontier, unsigned char* next, const unsigned char* seen, int* cost)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && frontier[i])
        for (int e = nodes[i].start; e < nodes[i].start + nodes[i].count; e++) {
            int o = edges[e];
            if (!seen[o]) cost[o] = cost[i] + 1, next[o] = 1;
        }
}
// shortest paths: every node relaxes its edges by atomic minima
KERNEL c_relax(int n, const int* start, const int* edges, const int* weight, const int* distance, int* updated)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int d = distance[i];
    for (int e = start[i]; e < start[i + 1]; e++) atomicMin(&updated[edges[e]], d + weight[e]);
}
// a round of choosing independent nodes: a node that beats all undecided neighbours is in
KERNEL c_independent(int n, const int* start, const int* edges, const U* priority, const unsigned char* state, unsigned char* chosen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || state[i]) return;
    U mine = priority[i];
    bool best = true;
    for (int e = start[i]; e < start[i + 1] && best; e++) {
        int o = edges[e];
        if (!state[o] && priority[o] > mine) best = false;
    }
    if (best) chosen[i] = 1;
}
// sparse rows by groups of eight threads of a tile
KERNEL c_rows_by_eight(int n, const int* start, const int* columns, const float* values, const float* x, float* y)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (row >= n) return;
    float sum = 0;
    for (int e = start[row] + tile.thread_rank(); e < start[row + 1]; e += 8) sum += values[e] * x[columns[e]];
    for (int o = 4; o; o >>= 1) sum += tile.shfl_down(sum, o);
    if (tile.thread_rank() == 0) y[row] = sum;
}
// sparse rows by blocks of rows that fit into shared memory: products first, then a thread for each row
KERNEL c_rows_staged(const int* first, const int* start, const int* columns, const float* values, const float* x, float* y)
{
    __shared__ float s[1024];
    int from = first[blockIdx.x], to = first[blockIdx.x + 1], begin = start[from], end = start[to];
    if (end - begin <= 1024) {
        for (int e = begin + threadIdx.x; e < end; e += blockDim.x) s[e - begin] = values[e] * x[columns[e]];
        __syncthreads();
        for (int r = from + threadIdx.x; r < to; r += blockDim.x) {
            float sum = 0;
            for (int e = start[r]; e < start[r + 1]; e++) sum += s[e - begin];
            y[r] = sum;
        }
    } else {
        for (int r = from; r < to; r++) {
            float sum = 0;
            for (int e = start[r] + threadIdx.x; e < start[r + 1]; e += blockDim.x) sum += values[e] * x[columns[e]];
            s[threadIdx.x] = sum;
            __syncthreads();
            for (int k = blockDim.x / 2; k; k >>= 1) {
                if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
                __syncthreads();
            }
            if (threadIdx.x == 0) y[r] = s[0];
            __syncthreads();
        }
    }
}
// edges of a frontier shared out evenly: each thread searches the node of its edge in sums of degrees
KERNEL c_expand(int edges_of_frontier, int size, const int* sums, const int* frontier, const int* start, const int* edges, const int* level, int* out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < edges_of_frontier; i += gridDim.x * blockDim.x) {
        int low = 0, high = size;
        while (high - low > 1) {
            int mid = (low + high) / 2;
            if (sums[mid] <= i) low = mid;
            else high = mid;
        }
        int o = edges[start[frontier[low]] + i - sums[low]];
        out[i] = level[o] < 0 ? o : -1;
    }
}
// splats of a tile from front to back, until nothing shines through: lists differ in length, pixels in when they end
KERNEL c_splats(int width, const int* first, const int* list, const float4* splat, float4* picture)
{
    __shared__ float4 s[256];
    int tile = blockIdx.y * gridDim.x + blockIdx.x, x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, t = threadIdx.y * 16 + threadIdx.x;
    int begin = first[tile], end = first[tile + 1];
    float through = 1, light = 0;
    bool done = false;
    for (int at = begin; at < end; at += 256) {
        if (__syncthreads_count(done) == 256) break;
        if (at + t < end) s[t] = splat[list[at + t]];
        __syncthreads();
        for (int k = 0; k < min(256, end - at) && !done; k++) {
            float dx = s[k].x * width - x, dy = s[k].y * width - y, power = -(dx * dx + dy * dy) * 0.01f;
            if (power < -8) continue;
            float alpha = fminf(0.99f, s[k].z * __expf(power));
            if (alpha < 1 / 255.f) continue;
            light += s[k].w * alpha * through;
            through *= 1 - alpha;
            done = through < 1e-4f;
        }
    }
    picture[y * width + x] = make_float4(light, through, 0, 1);
}
// neighbours in cells of a liquid, which are filled unevenly: 27 cells for each particle
KERNEL c_liquid(int n, int side, float h2, const int* cell_start, const float4* place, const int* cell_of, float* density)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = place[i];
    int c = cell_of[i], cx = c % side, cy = c / side % side, cz = c / (side * side);
    float sum = 0;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); z++)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); y++)
            for (int x = max(cx - 1, 0); x <= min(cx + 1, side - 1); x++) {
                int o = (z * side + y) * side + x;
                for (int j = cell_start[o]; j < cell_start[o + 1]; j++) {
                    float4 q = place[j];
                    float d2 = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
                    if (d2 < h2) sum += q.w * (h2 - d2) * (h2 - d2) * (h2 - d2);
                }
            }
    density[i] = sum;
}
// patches of a mesh at different levels: a block for each, as many cells as its level has
KERNEL c_patches(const int* level, const int* first, const float* a, float* out)
{
    int l = level[blockIdx.x], side = 8 << l, base = first[blockIdx.x] * 64;
    for (int i = threadIdx.x; i < side * side; i += blockDim.x) {
        int x = i % side, y = i / side;
        float w = a[base + (x ? i - 1 : i)], e = a[base + (x < side - 1 ? i + 1 : i)], n = a[base + (y ? i - side : i)], s = a[base + (y < side - 1 ? i + side : i)];
        out[base + i] = 0.5f * a[base + i] + 0.125f * (w + e + n + s);
    }
}
// tasks of different sizes, drawn by warps from one counter; each warp draws once more than it has tasks, so that it begins anew with each launch
KERNEL c_drawn_tasks(int n, const int* size, const float* a, int* counter, float* out)
{
    int lane = threadIdx.x % 32, draws = n + gridDim.x * blockDim.x / 32;
    for (;;) {
        int task = 0;
        if (lane == 0) task = atomicAdd(counter, 1);
        task = __shfl_sync(FULL, task, 0) % draws;
        if (task >= n) break;
        float sum = 0;
        for (int k = 0; k < size[task]; k++) sum += a[(task * 32 + lane + k * 1031) & 0xfffff];
        out[task * 32 + lane] = sum;
    }
}
// particles through slabs by random paths until they leave or are absorbed
KERNEL c_histories(int n, float absorb, int* tally, float* track)
{
    __shared__ int bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        U s = i * 2654435761u + 12345;
        float x = 0, mu = 1, sum = 0;
        for (;;) {
            s = s * 1664525u + 1013904223u;
            float step = -__logf((s >> 8) * 5.9604645e-8f + 1e-9f);
            x += mu * step, sum += step;
            if (x < 0 || x > 10) break;
            s = s * 1664525u + 1013904223u;
            if ((s >> 8) * 5.9604645e-8f < absorb) break;
            s = s * 1664525u + 1013904223u;
            mu = 2 * ((s >> 8) * 5.9604645e-8f) - 1;
        }
        atomicAdd(&bins[min(63, max(0, (int)(x * 6)))], 1);
        track[i] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&tally[threadIdx.x], bins[threadIdx.x]);
}
// counts of 64 values with a byte for each thread in shared memory
KERNEL c_count_64(int n, const uint4* data, U* part)
{
    __shared__ unsigned char s[64 * 64];
    int t = threadIdx.x, place = (t & ~63) | ((t & 15) << 2) | ((t & 48) >> 4);
    for (int i = 0; i < 16; i++) ((U*)s)[t + i * 64] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) {
        uint4 d = data[i];
        s[place + (d.x >> 2 & 63) * 64]++, s[place + (d.y >> 10 & 63) * 64]++, s[place + (d.z >> 18 & 63) * 64]++, s[place + (d.w >> 26) * 64]++;
    }
    __syncthreads();
    U sum = 0;
    for (int i = 0; i < 64; i++) sum += s[t * 64 + ((i + t) & 63)];
    part[blockIdx.x * 64 + t] = sum;
}
// counts of 256 values with one table for each warp, by atomics on shared memory
KERNEL c_count_256(int n, const U* data, U* part)
{
    __shared__ U s[6 * 256];
    for (int i = threadIdx.x; i < 6 * 256; i += 192) s[i] = 0;
    U* mine = s + threadIdx.x / 32 * 256;
    __syncthreads();
    for (int i = blockIdx.x * 192 + threadIdx.x; i < n; i += gridDim.x * 192) {
        U d = data[i];
        atomicAdd(mine + (d & 255), 1), atomicAdd(mine + (d >> 8 & 255), 1), atomicAdd(mine + (d >> 16 & 255), 1), atomicAdd(mine + (d >> 24), 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += 192) {
        U sum = 0;
        for (int w = 0; w < 6; w++) sum += s[w * 256 + b];
        part[blockIdx.x * 256 + b] = sum;
    }
}
// pairs of sorted runs of 512 merged by ranks: each thread searches the other run
KERNEL c_merge_runs(const U* keys, const U* values, U* out_keys, U* out_values)
{
    __shared__ U k[1024], v[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    k[t] = keys[base + t], k[t + 512] = keys[base + t + 512], v[t] = values[base + t], v[t + 512] = values[base + t + 512];
    for (int stride = 1; stride < 1024; stride <<= 1) {
        int low = t & (stride - 1);
        U* bk = k + 2 * (t - low), *bv = v + 2 * (t - low);
        __syncthreads();
        U ka = bk[low], va = bv[low], kb = bk[low + stride], vb = bv[low + stride];
        int pa = 0, pb = 0;
        for (int s = stride; s; s >>= 1) {
            int np = min(pa + s, stride);
            if (bk[stride + np - 1] < ka) pa = np;
        }
        for (int s = stride; s; s >>= 1) {
            int np = min(pb + s, stride);
            if (bk[np - 1] <= kb) pb = np;
        }
        pa += low, pb += low;
        __syncthreads();
        bk[pa & (2 * stride - 1)] = ka, bv[pa & (2 * stride - 1)] = va, bk[pb & (2 * stride - 1)] = kb, bv[pb & (2 * stride - 1)] = vb;
    }
    __syncthreads();
    out_keys[base + t] = k[t], out_keys[base + t + 512] = k[t + 512], out_values[base + t] = v[t], out_values[base + t + 512] = v[t + 512];
}
template <int BITS> __device__ U rank_by_bits(U key, U* s)
{
    int t = threadIdx.x, lane = t % 32, w = t / 32;
    for (int b = 0; b < BITS; b++) {
        U zero = !(key >> b & 1), votes = __ballot_sync(FULL, zero), before = __popc(votes & ((1u << lane) - 1));
        if (lane == 0) s[256 + w] = __popc(votes);
        __syncthreads();
        U sum = 0, total = 0;
        for (int k = 0; k < 8; k++) {
            if (k < w) sum += s[256 + k];
            total += s[256 + k];
        }
        U at = zero ? sum + before : total + t - sum - before;
        s[at] = key;
        __syncthreads();
        key = s[t];
        __syncthreads();
    }
    return key;
}
// keys of a block sorted by eight bits, one after the other
KERNEL c_block_bits(const U* keys, U* out)
{
    __shared__ U s[264];
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = rank_by_bits<8>(keys[i], s);
}
// local alignment: a warp for a pair of sequences, anti-diagonals by shuffles, scores of pairs of letters in shared memory
KERNEL c_align(int n, int length, const unsigned char* query, const unsigned char* target, const int* scores, int* best)
{
    __shared__ int table[24 * 24];
    for (int i = threadIdx.x; i < 576; i += blockDim.x) table[i] = scores[i];
    __syncthreads();
    int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, top = 0;
    if (pair >= n) return;
    for (int strip = 0; strip < length; strip += 32) {
        int letter = query[pair * length + strip + lane] * 24, h = 0, left = 0, diagonal = 0, e = 0, f = 0;
        for (int d = 0; d < length + 31; d++) {
            int up = __shfl_up_sync(FULL, h, 1), fu = __shfl_up_sync(FULL, f, 1), column = d - lane;
            if (lane == 0) up = 0, fu = 0;
            if (column >= 0 && column < length) {
                int s = table[letter + target[pair * length + column]];
                e = max(left - 3, e - 1), f = max(up - 3, fu - 1);
                h = max(max(0, diagonal + s), max(e, f));
                left = h, diagonal = up, top = max(top, h);
            }
        }
    }
    top = __reduce_max_sync(FULL, top);
    if (lane == 0) best[pair] = top;
}
// cross sections at random energies: search in a grid, then two rows of each nuclide of a material
KERNEL c_cross_sections(int n, int grid, int nuclides, const double* energies, const int* index, const double2* rows, double* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long s = i * 2806196910506780709ull + 1;
    s = s * 2806196910506780709ull + 1;
    double e = (s >> 11) * 1.1102230246251565e-16;
    int low = 0, high = grid - 1, kinds = 4 + (s >> 40) % (nuclides - 4);
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (energies[mid] > e) high = mid;
        else low = mid;
    }
    double sum = 0;
    for (int k = 0; k < kinds; k++) {
        int at = index[low * nuclides + k] + k * 4096;
        double2 a = rows[at], b = rows[at + 1];
        double f = (b.x - e) / (b.x - a.x + 1e-9);
        sum += b.y - f * (b.y - a.y);
    }
    out[i] = sum;
}
// angles between points, counted in bins by search in their borders, one table for each half warp
KERNEL c_angles(int n, const float4* p, const float4* q, const float* border, U* counts)
{
    __shared__ U s[8][20];
    __shared__ float4 other[128];
    for (int i = threadIdx.x; i < 160; i += 128) s[i / 20][i % 20] = 0;
    float4 mine = p[blockIdx.x * 128 + threadIdx.x];
    for (int base = 0; base < n; base += 128) {
        __syncthreads();
        other[threadIdx.x] = q[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dot = (mine.x * other[k].x + mine.y * other[k].y + mine.z * other[k].z) * 0.3f;
            int low = 0, high = 19;
            while (high > low + 1) {
                int mid = (low + high) / 2;
                if (dot >= border[mid]) high = mid;
                else low = mid;
            }
            atomicAdd(&s[threadIdx.x / 16][low], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x < 20) {
        U sum = 0;
        for (int k = 0; k < 8; k++) sum += s[k][threadIdx.x];
        atomicAdd(&counts[threadIdx.x], sum);
    }
}
// sums of differences of 4 x 4 blocks of two pictures for all moves within a window
KERNEL c_differences(int width, int height, const unsigned char* now, const unsigned char* before, unsigned short* out)
{
    int bx = blockIdx.x, by = blockIdx.y;
    for (int move = threadIdx.x; move < 33 * 33; move += blockDim.x) {
        int mx = move % 33 - 16, my = move / 33 - 16, sum = 0;
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++) {
                int ax = bx * 4 + x, ay = by * 4 + y, ox = min(max(ax + mx, 0), width - 1), oy = min(max(ay + my, 0), height - 1);
                sum = __sad(now[ay * width + ax], before[oy * width + ox], sum);
            }
        out[(by * gridDim.x + bx) * 33 * 33 + move] = sum;
    }
}
// lengths of runs of equal values: heads by comparison, places by a scan of a block in shared memory
KERNEL c_runs(int n, const int* a, const int* before, int* value, int* at)
{
    __shared__ int sums[8];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, w = threadIdx.x / 32;
    int head = i < n && (i == 0 || a[i] != a[i - 1]), place = head;
    for (int o = 1; o < 32; o <<= 1) {
        int v = __shfl_up_sync(FULL, place, o);
        if (lane >= o) place += v;
    }
    if (lane == 31) sums[w] = place;
    __syncthreads();
    for (int k = 0; k < w; k++) place += sums[k];
    if (head) {
        int to = (before[blockIdx.x] + place - 1) & 0xfffff;
        value[to] = a[i], at[to] = i;
    }
}
// sums of all numbers: blocks add theirs, the last of them adds what is there
__device__ U finished;
KERNEL c_sum_last(int n, const float4* a, volatile float* part, float* out)
{
    __shared__ float s[8];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i].x + a[i].y + a[i].z + a[i].w;
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int k = 0; k < 8; k++) sum += s[k];
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        sum = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += part[i];
        for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
        if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            sum = 0;
            for (int k = 0; k < 8; k++) sum += s[k];
            *out = sum;
        }
    }
}
// nearest of a tree of points: stack in local memory, branches left out by what was found
KERNEL c_tree_walk(int n, int nodes, const float4* node, const float4* query, int* nearest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 q = query[i];
    float best = 1e30f;
    int found = 0, stack[24], top = 0;
    stack[top++] = 0;
    while (top) {
        int at = stack[--top];
        if (at >= nodes) continue;
        float4 p = node[at];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, d = dx * dx + dy * dy + dz * dz;
        if (d < best) best = d, found = at;
        int axis = (31 - __clz(at + 1)) % 3;
        float diff = axis == 0 ? -dx : axis == 1 ? -dy : -dz;
        int near = 2 * at + (diff < 0 ? 1 : 2), far = 2 * at + (diff < 0 ? 2 : 1);
        if (diff * diff < best) stack[top++] = far;
        stack[top++] = near;
    }
    nearest[i] = found;
}
// one of four transforms in shared memory: sums and differences, 2048 numbers a block
KERNEL c_walsh(const float* a, float* out)
{
    __shared__ float s[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) s[i] = a[blockIdx.x * 2048 + i];
    int t = threadIdx.x;
    for (int stride = 512; stride; stride >>= 2) {
        __syncthreads();
        int low = t & (stride - 1), i0 = ((t - low) << 2) + low, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
        float d0 = s[i0], d1 = s[i1], d2 = s[i2], d3 = s[i3], x = d0;
        d0 += d2, d2 = x - d2, x = d1, d1 += d3, d3 = x - d3, x = d0;
        s[i0] = d0 + d1, s[i1] = x - d1, x = d2, s[i2] = d2 + d3, s[i3] = x - d3;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) out[blockIdx.x * 2048 + i] = s[i];
}
