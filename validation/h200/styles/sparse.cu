// Graphs, sparse matrices, queues and particles in the manner of benchmark suites: C with long index expressions, grid-stride loops, structs.
typedef unsigned int uint;
#define GLOBAL extern "C" __global__ void
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

// one round of Luby's independent set: a vertex enters if no undecided neighbour has a higher priority
GLOBAL mis_round(int n, const int *ptr, const int *adj, const int *prio, const int *state, int *next)
{
    for (int v = GID; v < n; v += gridDim.x * blockDim.x) {
        if (state[v] != 0) { next[v] = state[v]; continue; }
        int best = 1, p = prio[v];
        for (int e = ptr[v]; e < ptr[v + 1]; e++) {
            int w = adj[e];
            if (state[w] == 0 && prio[w] > p) { best = 0; break; }
        }
        next[v] = best;
    }
}

// peeling: vertices of small degree tell their neighbours
GLOBAL peel_core(int n, int k, const int *ptr, const int *adj, const int *degree, int *left)
{
    int v = GID;
    if (v >= n || degree[v] > k) return;
    for (int e = ptr[v]; e < ptr[v + 1]; e++)
        if (degree[adj[e]] > k) atomicSub(&left[adj[e]], 1);
}

// first-fit colours: 64 at a time in a mask
GLOBAL first_fit(int n, const int *ptr, const int *adj, const int *colour, int *out)
{
    int v = GID;
    if (v >= n) return;
    unsigned long long used = 0;
    int begin = ptr[v], end = ptr[v + 1];
    for (int e = begin; e < end; e++) used |= 1ull << (colour[adj[e]] & 63);
    out[v] = __ffsll(~used) - 1;
}

// half a warp for each row
template <int T> __device__ void vector_row(int n, const int *ptr, const int *adj, const float *a, const float *x, float *y)
{
    int lane = threadIdx.x % T;
    for (int row = GID / T; row < n; row += gridDim.x * blockDim.x / T) {
        float s = 0.f;
        for (int e = ptr[row] + lane; e < ptr[row + 1]; e += T) s = fmaf(__ldg(a + e), __ldg(x + __ldg(adj + e)), s);
#pragma unroll
        for (int o = T / 2; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o, T);
        if (lane == 0) y[row] = s;
    }
}
GLOBAL csr_vector4(int n, const int *ptr, const int *adj, const float *a, const float *x, float *y) { vector_row<4>(n, ptr, adj, a, x, y); }
GLOBAL csr_vector16(int n, const int *ptr, const int *adj, const float *a, const float *x, float *y) { vector_row<16>(n, ptr, adj, a, x, y); }

GLOBAL ell_rows(int n, int width, const int *col, const float *a, const float *x, float *y)
{
    int r = GID;
    if (r < n) {
        float s = 0.f;
        for (int k = 0; k < width; k++) {
            int c = col[k * n + r];
            if (c < 0) break;
            s += a[k * n + r] * x[c];
        }
        y[r] = s;
    }
}

// queues: items of different length are taken one after another; the last to leave puts the counters back
__device__ float grind(float v, int rounds)
{
    for (int k = 0; k < rounds; k++) v = v * 0.99f + 0.01f * sinf(v);
    return v;
}
__device__ void leave(uint *counters)
{
    __threadfence();
    if (atomicAdd(counters + 1, 1u) == gridDim.x - 1) { counters[0] = 0; counters[1] = 0; }
}
GLOBAL queue_threads(int n, const int *rounds, float *out, uint *counters)
{
    uint i;
    while ((i = atomicAdd(counters, 1u)) < n) out[i] = grind(i * 1e-3f, rounds[i]);
    __syncthreads();
    if (threadIdx.x == 0) leave(counters);
}
GLOBAL queue_warps(int n, const int *rounds, const float *in, float *out, uint *counters)
{
    int lane = threadIdx.x & 31;
    while (true) {
        uint i = 0;
        if (lane == 0) i = atomicAdd(counters, 1u);
        i = __shfl_sync(0xffffffff, i, 0);
        if (i >= n) break;
        int r = rounds[i];
        float s = 0;
        for (int k = lane; k < r * 32; k += 32) s += in[(i * 64 + k) & 0x3fffff];
        out[i * 32 + lane] = s;
    }
    __syncthreads();
    if (threadIdx.x == 0) leave(counters);
}
GLOBAL queue_blocks(int n, const int *rounds, float *out, uint *counters)
{
    __shared__ uint tile;
    for (;;) {
        if (threadIdx.x == 0) tile = atomicAdd(counters, 1u);
        __syncthreads();
        uint mine = tile;
        __syncthreads();
        if (mine >= n) break;
        out[mine * blockDim.x + threadIdx.x] = grind(threadIdx.x, rounds[mine]);
    }
    if (threadIdx.x == 0) leave(counters);
}

// particles in cells: each thread one particle, 27 cells with lists of different length
GLOBAL cell_forces(const int *ptr, const float4 *p, float4 *f, int side, float cut2)
{
    int cell = blockIdx.x, cx = cell % side, cy = cell / side % side, cz = cell / (side * side);
    int first = ptr[cell], last = ptr[cell + 1];
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) {
        float4 me = p[i];
        float fx = 0, fy = 0, fz = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int x = cx + dx, y = cy + dy, z = cz + dz;
                    if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) continue;
                    int c = (z * side + y) * side + x;
                    for (int j = ptr[c]; j < ptr[c + 1]; j++) {
                        float4 o = p[j];
                        float rx = me.x - o.x, ry = me.y - o.y, rz = me.z - o.z, r2 = rx * rx + ry * ry + rz * rz;
                        float w = r2 < cut2 ? rsqrtf(r2 + 1e-6f) * o.w : 0.f;
                        fx += w * rx; fy += w * ry; fz += w * rz;
                    }
                }
        f[i] = make_float4(fx, fy, fz, 0);
    }
}

// a stack of nodes in local memory; boxes on a line, implicit binary tree
GLOBAL box_stack(const float *low, const float *high, const float *point, int *hits, int n, int nodes)
{
    int i = GID;
    if (i >= n) return;
    float x = point[i];
    int stack[32], top = 0, found = 0;
    stack[top++] = 1;
    while (top > 0) {
        int node = stack[--top];
        if (x < low[node] || x > high[node]) continue;
        if (2 * node + 1 < nodes) {
            stack[top++] = 2 * node;
            stack[top++] = 2 * node + 1;
        } else found++;
    }
    hits[i] = found;
}

// photons: a linear congruential generator decides how long each one goes on
GLOBAL photon_walk(const uint *seed, int *depth, int n, uint absorb, int most)
{
    for (int i = GID; i < n; i += gridDim.x * blockDim.x) {
        uint s = seed[i];
        int z = 0, k = 0;
        while (k < most) {
            s = s * 1664525u + 1013904223u;
            if ((s >> 8) < absorb) break;
            z += (s & 0x10000) ? 1 : -1;
            if (z < 0) break;
            k++;
        }
        depth[i] = k;
    }
}

// pairs of a rule book: rows of 64 numbers are gathered, scaled and added where they belong
GLOBAL rule_scatter(const int *in, const int *out, const float *x, const float *w, float *y, int pairs)
{
    int k = blockIdx.y, c = threadIdx.x & 63;
    float weight = w[k * 64 + c];
    for (int p = blockIdx.x * (blockDim.x / 64) + threadIdx.x / 64; p < pairs; p += gridDim.x * (blockDim.x / 64))
        atomicAdd(y + out[k * pairs + p] * 64 + c, weight * x[in[k * pairs + p] * 64 + c]);
}

GLOBAL embedding_bag(const int *ptr, const int *index, const float4 *table, float4 *out, int width4)
{
    float4 s = make_float4(0, 0, 0, 0);
    for (int e = ptr[blockIdx.x]; e < ptr[blockIdx.x + 1]; e++) {
        float4 v = table[(long long)index[e] * width4 + threadIdx.x];
        s.x += v.x; s.y += v.y; s.z += v.z; s.w += v.w;
    }
    out[(long long)blockIdx.x * width4 + threadIdx.x] = s;
}
