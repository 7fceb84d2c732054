// Launches of unusual shape, and what kernels rarely do: one thread, locks, flags, recursion, tables of functions, local arrays, constants.
#include <cassert>
#include <cstdio>
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu
typedef unsigned U;
typedef unsigned long long L;

KERNEL k_one_thread_sum(int n, const float* x, float* out)
{
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    *out = s;
}
KERNEL k_one_thread_scan(int n, const int* x, int* out)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        out[i] = s;
        s += x[i];
    }
}
KERNEL k_one_block_sum(int n, const float* x, float* out)
{
    __shared__ float s[1024];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i];
    s[threadIdx.x] = v;
    for (int o = blockDim.x / 2; o; o /= 2) {
        __syncthreads();
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    }
    if (threadIdx.x == 0) *out = s[0];
}
KERNEL k_thread_each_block(int n, const float* x, float* out)
{
    int i = blockIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++) s += x[i * n + k];
    out[i] = s;
}
KERNEL k_mostly_idle(int n, const float* x, float* out)
{
    int i = AT;
    if (i < n) out[i] = 2 * x[i];
}
KERNEL k_nothing(int* out) {
    if (threadIdx.x == 2000) *out = 1;
}
KERNEL k_rows_of_grid(int width, const float* x, const float* scale, float* out)
{
    size_t r = blockIdx.y;
    if (threadIdx.x < width) out[r * width + threadIdx.x] = scale[r] * x[r * width + threadIdx.x];
}
KERNEL k_all_shared(int tiles, const float* x, float* out)
{
    extern __shared__ float s[];
    float v = 0;
    for (int t = 0; t < tiles; t++) {
        for (int i = threadIdx.x; i < 50000; i += blockDim.x) s[i] = x[(size_t)(blockIdx.x * tiles + t) * 50000 + i];
        __syncthreads();
        for (int k = 0; k < 64; k++) v += s[(threadIdx.x * 37 + k * 761) % 50000];
        __syncthreads();
    }
    out[AT] = v;
}
KERNEL k_checked(int n, const int* index, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    int j = index[i];
    assert(j >= 0 && j < n);
    if (j == n + 5) printf("place %d has %d\n", i, j);
    out[i] = x[j];
}
KERNEL k_lock(int* lock, float* total, const float* x)
{
    __shared__ float s[8];
    float v = x[AT];
    for (int o = 16; o; o /= 2) v += __shfl_down_sync(ALL, v, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) v += s[w];
        while (atomicCAS(lock, 0, 1)) {}
        *(volatile float*)total += v;
        __threadfence();
        atomicExch(lock, 0);
    }
}
KERNEL k_last_block(int n, const float* x, volatile float* partial, unsigned* count, float* out)
{
    __shared__ float s[8];
    __shared__ bool last;
    float v = 0;
    for (int i = AT; i < n; i += gridDim.x * blockDim.x) v += x[i];
    for (int o = 16; o; o /= 2) v += __shfl_down_sync(ALL, v, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) v += s[w];
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        v = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += 256) v += partial[i];
        for (int o = 16; o; o /= 2) v += __shfl_down_sync(ALL, v, o);
        if (threadIdx.x % 32 == 0) atomicAdd(out, v);
    }
}
KERNEL k_grid_steps(int steps, int n, volatile unsigned* arrived, float* a, float* b)
{
    for (int k = 0; k < steps; k++) {
        for (int i = AT + 1; i < n - 1; i += gridDim.x * blockDim.x) b[i] = 0.3f * (a[i - 1] + a[i] + a[i + 1]);
        float* t = a;
        a = b, b = t;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            unsigned until = (atomicAdd((unsigned*)arrived, 1) / gridDim.x + 1) * gridDim.x;
            while (*arrived < until) {}
        }
        __syncthreads();
    }
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
KERNEL k_recursion(int n, const int* x, int* out)
{
    int i = AT;
    if (i < n) out[i] = fibonacci(x[i]);
}
__device__ __noinline__ float f_square(float x) { return x * x; }
__device__ __noinline__ float f_root(float x) { return sqrtf(x); }
__device__ __noinline__ float f_half(float x) { return 0.5f * x; }
__device__ __noinline__ float f_sine(float x) { return __sinf(x); }
typedef float (*Function)(float);
__device__ Function functions[4] = {f_square, f_root, f_half, f_sine};
KERNEL k_functions(int n, int times, const float* x, const int* which, float* out)
{
    int i = AT;
    if (i >= n) return;
    float v = x[i];
    Function f = functions[which[i / 32]];
    for (int k = 0; k < times; k++) v = f(v);
    out[i] = v;
}
KERNEL k_eight_ways(int n, int times, const int* which, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    float v = x[i];
    int w = which[i];
    for (int k = 0; k < times; k++) switch (w) {
            case 0: v = sqrtf(v) + 1; break;
            case 1: v = __expf(-v); break;
            case 2: v = v * v - 0.5f; break;
            case 3: v = 1 / (v + 2); break;
            case 4: v = __logf(v + 3); break;
            case 5: v = __sinf(v); break;
            case 6: v = fminf(v, 0.5f) + 0.1f; break;
            default: v = fabsf(v - 1);
        }
    out[i] = v;
}
KERNEL k_lane_loops(int n, int times, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < times * (threadIdx.x & 31); k++) v = v * 0.99f + 0.01f;
    out[i] = v;
}
KERNEL k_block_loops(int n, int times, const float* x, float* out)
{
    int i = AT;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < times * (int)(blockIdx.x % 17); k++) v = v * 0.99f + 0.01f;
    out[i] = v;
}
KERNEL k_local_table(int n, int times, const int* key, int* out)
{
    int i = AT;
    if (i >= n) return;
    int t[128];
    for (int k = 0; k < 128; k++) t[k] = k * 7 + i;
    int at = key[i] & 127;
    for (int k = 0; k < times; k++) {
        int v = t[at];
        t[at] = v + k;
        at = (at + v) & 127;
    }
    out[i] = at;
}
// constants: walked by all, chosen by each lane, far from each other
__constant__ float table_small[256] = {1, 2, 3};
__constant__ float table_large[12000] = {1, 2, 3};
KERNEL k_constants_walk(int n, int count, const float* x, float* out)
{
    int i = AT;
    float v = i < n ? x[i] : 0, s = 0;
    for (int k = 0; k < count; k++) s += table_large[k] * (v - k);
    if (i < n) out[i] = s;
}
KERNEL k_constants_lanes(int n, int times, const U* key, float* out)
{
    int i = AT;
    if (i >= n) return;
    U k = key[i];
    float s = 0;
    for (int j = 0; j < times; j++) {
        s += table_small[k & 255];
        k = k * 1664525u + 1013904223u;
    }
    out[i] = s;
}
KERNEL k_constants_same(int n, int times, U key, float* out)
{
    int i = AT;
    if (i >= n) return;
    U k = key + (i >> 5);
    float s = 0;
    for (int j = 0; j < times; j++) {
        s += table_large[(k >> 8) % 12000];
        k = k * 1664525u + 1013904223u;
    }
    out[i] = s;
}
__constant__ float weights_2d[49 * 49] = {1};
KERNEL k_constants_filter(int w, int h, int radius, const float* in, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < radius || y < radius || x >= w - radius || y >= h - radius) return;
    float s = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) s += weights_2d[(dy + radius) * (2 * radius + 1) + dx + radius] * in[(y + dy) * w + x + dx];
    out[y * w + x] = s;
}
KERNEL k_chase(int steps, const int* next, int* out)
{
    int i = AT, at = next[i];
    for (int k = 0; k < steps; k++) at = next[at];
    out[i] = at;
}
KERNEL k_stride(int n, int stride, const float* x, float* out)
{
    int i = AT;
    if (i < n) out[i] = x[(size_t)i * stride];
}
struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
    int kind, cell;
};
KERNEL k_structs(int n, float dt, Particle* p)
{
    int i = AT;
    if (i >= n) return;
    Particle q = p[i];
    q.x += dt * q.vx, q.y += dt * q.vy, q.z += dt * q.vz;
    q.cell = (int)q.x + 16 * (int)q.y + 256 * (int)q.z;
    p[i] = q;
}
KERNEL k_copy_bytes(int n, const unsigned char* from, unsigned char* to)
{
    int i = AT;
    if (i < n) to[i] = from[i];
}
KERNEL k_copy_off_by_one(int n, const float* from, float* to)
{
    int i = AT;
    if (i < n - 1) to[i] = from[i + 1];
}
KERNEL k_copy_large(L n, const float4* from, float4* to)
{
    for (L i = AT; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
}
KERNEL k_sleepers(int times, int* out)
{
    for (int k = 0; k < times; k++) __nanosleep(100);
    out[AT] = times;
}
KERNEL k_warp_sort(int n, const int* x, int* out)
{
    int i = AT;
    if (i >= n) return;
    int v = x[i], lane = threadIdx.x & 31;
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            int w = __shfl_xor_sync(ALL, v, j);
            v = ((lane & j) == 0) == ((lane & k) == 0) ? min(v, w) : max(v, w);
        }
    out[i] = v;
}
KERNEL k_transpose_naive(int n, const double* in, double* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[(size_t)x * n + y] = in[(size_t)y * n + x];
}
KERNEL k_multiply_naive(int n, const double* a, const double* b, double* c)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    double s = 0;
    for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
KERNEL k_multiply_columns(int n, const float* a, const float* b, float* c)
{
    int y = AT, x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float s = 0;
    for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
KERNEL k_prefix_one_block(int n, const int* x, int* out)
{
    __shared__ int warp_sum[32];
    __shared__ int base;
    if (threadIdx.x == 0) base = 0;
    for (int first = 0; first < n; first += 1024) {
        int v = x[first + threadIdx.x], s = v, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
        for (int o = 1; o < 32; o *= 2) {
            int w = __shfl_up_sync(ALL, s, o);
            if (lane >= o) s += w;
        }
        if (lane == 31) warp_sum[warp] = s;
        __syncthreads();
        if (warp == 0) {
            int t = warp_sum[lane];
            for (int o = 1; o < 32; o *= 2) {
                int w = __shfl_up_sync(ALL, t, o);
                if (lane >= o) t += w;
            }
            warp_sum[lane] = t;
        }
        __syncthreads();
        out[first + threadIdx.x] = base + (warp ? warp_sum[warp - 1] : 0) + s - v;
        __syncthreads();
        if (threadIdx.x == 1023) base += warp_sum[31];
        __syncthreads();
    }
}
KERNEL k_ordered_blocks(int n, volatile int* flag, volatile float* carry, const float* x, float* out)
{
    __shared__ float before;
    float v = x[AT];
    if (threadIdx.x == 0) {
        if (blockIdx.x) while (flag[blockIdx.x - 1] == 0) {}
        before = blockIdx.x ? carry[blockIdx.x - 1] : 0;
        carry[blockIdx.x] = before + v;
        __threadfence();
        flag[blockIdx.x] = 1;
    }
    __syncthreads();
    out[AT] = before + v;
}
KERNEL k_add_double_cas(int n, int bins, const double* x, L* out)
{
    int i = AT;
    if (i >= n) return;
    L *to = &out[i % bins], old = *to, was;
    do {
        was = old;
        old = atomicCAS(to, was, __double_as_longlong(x[i] + __longlong_as_double(was)));
    } while (old != was);
}
