// Layers of networks.
#include <cuda_fp16.h>
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu
typedef unsigned U;
typedef unsigned char B;

KERNEL k_layer_norm(int width, const float* x, const float* weight, const float* bias, float* out)
{
    __shared__ float part[2][32];
    const float* row = x + (size_t)blockIdx.x * width;
    float s = 0, q = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) s += row[k], q += row[k] * row[k];
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o), q += __shfl_xor_sync(ALL, q, o);
    if (threadIdx.x % 32 == 0) part[0][threadIdx.x / 32] = s, part[1][threadIdx.x / 32] = q;
    __syncthreads();
    s = q = 0;
    for (int w = 0; w < blockDim.x / 32; w++) s += part[0][w], q += part[1][w];
    float mean = s / width, scale = rsqrtf(q / width - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < width; k += blockDim.x) out[(size_t)blockIdx.x * width + k] = (row[k] - mean) * scale * weight[k] + bias[k];
}
KERNEL k_rms_half(int width, const half2* x, const half2* weight, half2* out)
{
    const half2* row = x + (size_t)blockIdx.x * width;
    float s = 0;
    for (int k = threadIdx.x; k < width; k += 32) {
        float2 v = __half22float2(row[k]);
        s += v.x * v.x + v.y * v.y;
    }
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o);
    half2 scale = __float2half2_rn(rsqrtf(s / (2 * width) + 1e-5f));
    for (int k = threadIdx.x; k < width; k += 32) out[(size_t)blockIdx.x * width + k] = __hmul2(__hmul2(row[k], scale), weight[k]);
}
KERNEL k_softmax_vocabulary(int width, const float* x, float* out)
{
    __shared__ float part[32];
    const float* row = x + (size_t)blockIdx.x * width;
    float m = -1e30f, s = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) m = fmaxf(m, row[k]);
    for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(ALL, m, o));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
    __syncthreads();
    for (int w = 0; w < blockDim.x / 32; w++) m = fmaxf(m, part[w]);
    __syncthreads();
    for (int k = threadIdx.x; k < width; k += blockDim.x) s += __expf(row[k] - m);
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    s = 0;
    for (int w = 0; w < blockDim.x / 32; w++) s += part[w];
    for (int k = threadIdx.x; k < width; k += blockDim.x) out[(size_t)blockIdx.x * width + k] = __expf(row[k] - m) / s;
}
KERNEL k_gelu(int n, const float4* x, float4* out)
{
    int i = AT;
    if (i >= n) return;
    float4 v = x[i];
#define G(a) (0.5f * a * (1 + tanhf(0.79788456f * (a + 0.044715f * a * a * a))))
    out[i] = make_float4(G(v.x), G(v.y), G(v.z), G(v.w));
}
KERNEL k_swiglu(int n, const half2* gate, const half2* up, half2* out)
{
    int i = AT;
    if (i >= n) return;
    float2 g = __half22float2(gate[i]), u = __half22float2(up[i]);
    out[i] = __floats2half2_rn(g.x / (1 + __expf(-g.x)) * u.x, g.y / (1 + __expf(-g.y)) * u.y);
}
KERNEL k_rotate_heads(int tokens, int heads, int width, float2* q)
{
    int t = blockIdx.x, h = blockIdx.y, k = threadIdx.x;
    float s, c;
    sincosf(t * powf(10000.f, -2.f * k / (2 * width)), &s, &c);
    float2 v = q[((size_t)t * heads + h) * width + k];
    q[((size_t)t * heads + h) * width + k] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}
// one thread for each query, head and batch, as in reference code
KERNEL k_attention_scores(int batch, int tokens, int heads, int width, const float* qkv, float* scores)
{
    int i = AT;
    if (i >= batch * heads * tokens * tokens) return;
    int t2 = i % tokens, t = i / tokens % tokens, h = i / (tokens * tokens) % heads, b = i / (heads * tokens * tokens);
    if (t2 > t) {
        scores[i] = -1e30f;
        return;
    }
    int row = 3 * heads * width;
    const float *q = qkv + (size_t)(b * tokens + t) * row + h * width, *k = qkv + (size_t)(b * tokens + t2) * row + (heads + h) * width;
    float s = 0;
    for (int d = 0; d < width; d++) s += q[d] * k[d];
    scores[i] = s * rsqrtf(width);
}
KERNEL k_decode_heads(int length, const half2* q, const half2* keys, const half2* values, float2* out)
{
    extern __shared__ float p[];
    int head = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __shared__ float top[8], total[8];
    float2 mine[2] = {__half22float2(q[head * 64 + lane]), __half22float2(q[head * 64 + 32 + lane])};
    float m = -1e30f, sum = 0;
    for (int t = warp; t < length; t += 8) {
        const half2* k = keys + ((size_t)head * length + t) * 64;
        float2 a = __half22float2(k[lane]), b = __half22float2(k[32 + lane]);
        float s = a.x * mine[0].x + a.y * mine[0].y + b.x * mine[1].x + b.y * mine[1].y;
        for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o);
        if (lane == 0) p[t] = s;
        m = fmaxf(m, s);
    }
    if (lane == 0) top[warp] = m;
    __syncthreads();
    for (int w = 0; w < 8; w++) m = fmaxf(m, top[w]);
    for (int t = threadIdx.x; t < length; t += 256) sum += p[t] = __expf(p[t] - m);
    for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(ALL, sum, o);
    if (lane == 0) total[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++) sum += total[w];
    int d = threadIdx.x % 64;
    float2 acc = make_float2(0, 0);
    for (int t = threadIdx.x / 64; t < length; t += 4) {
        float2 v = __half22float2(values[((size_t)head * length + t) * 64 + d]);
        acc.x += p[t] * v.x, acc.y += p[t] * v.y;
    }
    atomicAdd(&out[head * 64 + d].x, acc.x / sum), atomicAdd(&out[head * 64 + d].y, acc.y / sum);
}
KERNEL k_cross_entropy(int rows, int width, const float* p, const int* target, float* loss)
{
    int r = AT;
    if (r < rows) loss[r] = -logf(p[(size_t)r * width + target[r]]);
}
KERNEL k_adam(int n, float rate, float b1, float b2, float c1, float c2, float* w, const float* g, float* m, float* v)
{
    int i = AT;
    if (i >= n) return;
    float a = b1 * m[i] + (1 - b1) * g[i], b = b2 * v[i] + (1 - b2) * g[i] * g[i];
    m[i] = a, v[i] = b;
    w[i] -= rate * (a / c1 / (sqrtf(b / c2) + 1e-8f) + 0.01f * w[i]);
}
KERNEL k_embedding_backward(int tokens, int width, const int* token, const float* grad, float* table)
{
    int i = AT;
    if (i >= tokens * width) return;
    atomicAdd(&table[(size_t)token[i / width] * width + i % width], grad[i]);
}
KERNEL k_bias_columns(int rows, int width, const float* grad, float* bias)
{
    int c = AT;
    if (c >= width) return;
    float s = 0;
    for (int r = 0; r < rows; r++) s += grad[(size_t)r * width + c];
    bias[c] += s;
}
KERNEL k_dropout(int n, U seed, float keep, const float4* x, float4* out)
{
    int i = AT;
    if (i >= n) return;
    U c0 = i, c1 = 0, c2 = 7, c3 = 0, k0 = seed, k1 = seed ^ 0xbb67ae85u;
#pragma unroll
    for (int r = 0; r < 10; r++) {
        U h0 = __umulhi(0xd2511f53u, c0), l0 = 0xd2511f53u * c0, h1 = __umulhi(0xcd9e8d57u, c2), l1 = 0xcd9e8d57u * c2;
        c0 = h1 ^ c1 ^ k0, c1 = l1, c2 = h0 ^ c3 ^ k1, c3 = l0;
        k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
    }
    float4 v = x[i];
    const float f = 2.3283064e-10f, s = 1 / keep;
    out[i] = make_float4(c0 * f < keep ? v.x * s : 0, c1 * f < keep ? v.y * s : 0, c2 * f < keep ? v.z * s : 0, c3 * f < keep ? v.w * s : 0);
}
KERNEL k_bytes_gemv(int width, const int* weights, const int* x, const float* scale, float* out)
{
    int r = AT / 32, lane = threadIdx.x & 31, s = 0;
    for (int k = lane; k < width; k += 32) s = __dp4a(weights[(size_t)r * width + k], x[k], s);
    s = __reduce_add_sync(ALL, s);
    if (lane == 0) out[r] = s * scale[r];
}
KERNEL k_nibbles_gemv(int width, const U* weights, const half* scales, const float* x, float* out)
{
    int r = AT / 32, lane = threadIdx.x & 31;
    float s = 0;
    for (int k = lane; k < width / 8; k += 32) {
        U w = weights[(size_t)r * (width / 8) + k];
        float scale = __half2float(scales[(size_t)r * (width / 32) + k / 4]), part = 0;
#pragma unroll
        for (int b = 0; b < 8; b++) part += ((int)(w >> 4 * b & 15) - 8) * x[8 * k + b];
        s += scale * part;
    }
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(ALL, s, o);
    if (lane == 0) out[r] = s;
}
KERNEL k_convolve_plain(int channels, int outputs, int side, const float* in, const float* weights, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
    if (x >= side || y >= side) return;
    float s = 0;
    for (int c = 0; c < channels; c++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int u = x + dx, v = y + dy;
                if (u >= 0 && v >= 0 && u < side && v < side) s += in[(c * side + v) * side + u] * weights[(o * channels + c) * 9 + dy * 3 + dx + 4];
            }
    out[(o * side + y) * side + x] = fmaxf(0.f, s);
}
KERNEL k_depthwise(int side, const float* in, const float* weights, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= side || y >= side) return;
    float s = 0;
    for (int k = 0; k < 25; k++) {
        int u = x + k % 5 - 2, v = y + k / 5 - 2;
        if (u >= 0 && v >= 0 && u < side && v < side) s += in[(c * side + v) * side + u] * weights[c * 25 + k];
    }
    out[(c * side + y) * side + x] = s;
}
KERNEL k_pool(int n, int side, const float* in, float* out, int* where)
{
    int i = AT;
    if (i >= n) return;
    int w = side / 2, x = i % w, y = i / w % w, c = i / (w * w), at = -1;
    float m = -1e30f;
    for (int k = 0; k < 4; k++) {
        int j = (c * side + 2 * y + k / 2) * side + 2 * x + k % 2;
        if (in[j] > m) m = in[j], at = j;
    }
    out[i] = m, where[i] = at;
}
KERNEL k_unfold(int channels, int side, const float* in, float* out)
{
    int i = AT;
    if (i >= channels * side * side) return;
    int x = i % side, y = i / side % side, c = i / (side * side);
    for (int k = 0; k < 9; k++) {
        int u = x + k % 3 - 1, v = y + k / 3 - 1;
        out[((size_t)(c * 9 + k) * side + y) * side + x] = u >= 0 && v >= 0 && u < side && v < side ? in[(c * side + v) * side + u] : 0;
    }
}
KERNEL k_lstm_gates(int n, const float* gates, float* cell, float* hidden)
{
    int i = AT;
    if (i >= n) return;
    float a = 1 / (1 + __expf(-gates[i])), f = 1 / (1 + __expf(-gates[n + i])), g = tanhf(gates[2 * n + i]), o = 1 / (1 + __expf(-gates[3 * n + i]));
    float c = f * cell[i] + a * g;
    cell[i] = c;
    hidden[i] = o * tanhf(c);
}
KERNEL k_paged_copy(int tokens, int page, int width, const int* pages, const float4* cache, float4* out)
{
    int t = blockIdx.x;
    const float4* from = cache + ((size_t)pages[t / page] * page + t % page) * width;
    for (int k = threadIdx.x; k < width; k += blockDim.x) out[(size_t)t * width + k] = from[k];
}
KERNEL k_overlap_mask(int boxes, const float4* box, unsigned long long* mask)
{
    __shared__ float4 other[64];
    int first = blockIdx.y * 64, i = blockIdx.x * 64 + threadIdx.x;
    other[threadIdx.x] = box[first + threadIdx.x];
    __syncthreads();
    float4 a = box[i];
    unsigned long long bits = 0;
    for (int k = 0; k < 64; k++) {
        float4 b = other[k];
        float w = fminf(a.z, b.z) - fmaxf(a.x, b.x), h = fminf(a.w, b.w) - fmaxf(a.y, b.y), o = fmaxf(w, 0.f) * fmaxf(h, 0.f);
        if (o > 0.5f * ((a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - o)) bits |= 1ull << k;
    }
    mask[(size_t)i * gridDim.y + blockIdx.y] = bits;
}
KERNEL k_sample_grid(int n, int side, int channels, const float2* grid, const float* in, float* out)
{
    int i = AT;
    if (i >= n) return;
    float2 g = grid[i];
    float x = (g.x - 0.5f) * (side - 1.01f), y = (g.y - 0.5f) * (side - 1.01f);
    int ix = x, iy = y;
    float a = x - ix, b = y - iy;
    for (int c = 0; c < channels; c++) {
        const float* p = in + (c * side + iy) * side + ix;
        out[c * n + i] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[side] + a * p[side + 1]);
    }
}
KERNEL k_arg_max(int width, const float* x, int* out)
{
    __shared__ float best_value[32];
    __shared__ int best_place[32];
    float v = -1e30f;
    int at = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) {
        float y = x[(size_t)blockIdx.x * width + k];
        if (y > v) v = y, at = k;
    }
    for (int o = 16; o; o /= 2) {
        float w = __shfl_down_sync(ALL, v, o);
        int p = __shfl_down_sync(ALL, at, o);
        if (w > v) v = w, at = p;
    }
    if (threadIdx.x % 32 == 0) best_value[threadIdx.x / 32] = v, best_place[threadIdx.x / 32] = at;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++)
            if (best_value[w] > v) v = best_value[w], at = best_place[w];
        out[blockIdx.x] = at;
    }
}
