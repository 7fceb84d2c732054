// Dense matrices, rows, transforms and images as users of libraries and samples write them: tiles with float4, online softmax, small batches, halos.
#include <cuda_fp16.h>
#define KERNEL extern "C" __global__ void
#define FULL 0xffffffffu

__device__ inline float warp_sum(float v)
{
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(FULL, v, o);
    return v;
}
__device__ inline float warp_max(float v)
{
    for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL, v, o));
    return v;
}

// 128 x 128 tiles, 8 x 8 results a thread, float4 loads, the next tile in registers
KERNEL __launch_bounds__(256) v_gemm_vectors(int m, int n, int k, const float* A, const float* B, float* C)
{
    __shared__ float As[8][128], Bs[8][128];
    int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
    const float* a = A + (blockIdx.y * 128 + tid / 2) * k + tid % 2 * 4;
    const float* b = B + tid / 32 * n + blockIdx.x * 128 + tid % 32 * 4;
    float acc[8][8] = {};
    float4 ra = *(const float4*)a, rb = *(const float4*)b;
    for (int t = 0; t < k; t += 8) {
        As[tid % 2 * 4 + 0][tid / 2] = ra.x;
        As[tid % 2 * 4 + 1][tid / 2] = ra.y;
        As[tid % 2 * 4 + 2][tid / 2] = ra.z;
        As[tid % 2 * 4 + 3][tid / 2] = ra.w;
        *(float4*)&Bs[tid / 32][tid % 32 * 4] = rb;
        __syncthreads();
        if (t + 8 < k) {
            ra = *(const float4*)(a + t + 8);
            rb = *(const float4*)(b + (size_t)(t + 8) * n);
        }
#pragma unroll
        for (int p = 0; p < 8; p++) {
            float x[8], y[8];
            *(float4*)x = *(float4*)&As[p][ty * 8];
            *(float4*)(x + 4) = *(float4*)&As[p][ty * 8 + 4];
            *(float4*)y = *(float4*)&Bs[p][tx * 8];
            *(float4*)(y + 4) = *(float4*)&Bs[p][tx * 8 + 4];
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) acc[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j += 4) *(float4*)&C[(blockIdx.y * 128 + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8 + j] = *(float4*)&acc[i][j];
}
// 32 x 32 tiles in double precision, 2 x 2 results a thread, sizes that do not divide
KERNEL v_gemm_double(int m, int n, int k, const double* A, const double* B, double* C)
{
    __shared__ double As[32][17], Bs[16][32];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
    double c00 = 0, c01 = 0, c10 = 0, c11 = 0;
    for (int t = 0; t < k; t += 16) {
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0;
        As[ty + 16][tx] = row + 16 < m && t + tx < k ? A[(row + 16) * k + t + tx] : 0.0;
        Bs[ty][tx] = t + ty < k && col < n ? B[(t + ty) * n + col] : 0.0;
        Bs[ty][tx + 16] = t + ty < k && col + 16 < n ? B[(t + ty) * n + col + 16] : 0.0;
        __syncthreads();
        for (int p = 0; p < 16; p++) {
            double a0 = As[ty][p], a1 = As[ty + 16][p], b0 = Bs[p][tx], b1 = Bs[p][tx + 16];
            c00 += a0 * b0;
            c01 += a0 * b1;
            c10 += a1 * b0;
            c11 += a1 * b1;
        }
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = c00;
    if (row < m && col + 16 < n) C[row * n + col + 16] = c01;
    if (row + 16 < m && col < n) C[(row + 16) * n + col] = c10;
    if (row + 16 < m && col + 16 < n) C[(row + 16) * n + col + 16] = c11;
}
KERNEL v_gemv_rows(int m, int n, const float4* A, const float4* x, float* y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= m) return;
    float s = 0;
    for (int j = lane; j < n / 4; j += 32) {
        float4 a = A[(size_t)row * (n / 4) + j], b = x[j];
        s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    s = warp_sum(s);
    if (lane == 0) y[row] = s;
}
// 8 x 8 products, a batch of them: 64 threads each
KERNEL v_batch_products(int batch, const float* A, const float* B, float* C)
{
    __shared__ float a[4][8][8], b[4][8][8];
    int which = threadIdx.z, i = threadIdx.y, j = threadIdx.x, at = blockIdx.x * 4 + which;
    if (at < batch) {
        a[which][i][j] = A[at * 64 + i * 8 + j];
        b[which][i][j] = B[at * 64 + i * 8 + j];
    }
    __syncthreads();
    if (at >= batch) return;
    float s = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) s += a[which][i][k] * b[which][k][j];
    C[at * 64 + i * 8 + j] = s;
}
// LU without pivoting of 16 x 16 matrices, 16 threads a matrix, in shared memory
KERNEL v_batch_lu(int batch, float* A)
{
    __shared__ float s[8][16][17];
    int which = threadIdx.y, r = threadIdx.x, at = blockIdx.x * 8 + which;
    for (int c = 0; c < 16; c++) s[which][c][r] = A[(size_t)at * 256 + c * 16 + r];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (r > k) {
            float f = s[which][r][k] / s[which][k][k];
            s[which][r][k] = f;
            for (int c = k + 1; c < 16; c++) s[which][r][c] -= f * s[which][k][c];
        }
        __syncthreads();
    }
    for (int c = 0; c < 16; c++) A[(size_t)at * 256 + c * 16 + r] = s[which][c][r];
}
// Cholesky factors of 6 x 6 matrices in registers, one thread each, matrices one after the other
KERNEL v_batch_cholesky(int batch, const double* A, double* L)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= batch) return;
    double a[6][6];
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j < 6; j++) a[i][j] = A[at * 36 + i * 6 + j] + (i == j ? 8.0 : 0.0);
#pragma unroll
    for (int j = 0; j < 6; j++) {
        double d = a[j][j];
#pragma unroll
        for (int k = 0; k < j; k++) d -= a[j][k] * a[j][k];
        d = sqrt(d);
        a[j][j] = d;
#pragma unroll
        for (int i = j + 1; i < 6; i++) {
            double s = a[i][j];
#pragma unroll
            for (int k = 0; k < j; k++) s -= a[i][k] * a[j][k];
            a[i][j] = s / d;
        }
    }
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j <= i; j++) L[at * 36 + i * 6 + j] = a[i][j];
}
// softmax of long rows, maximum and sum in one pass
KERNEL v_softmax_online(int n, const float* x, float* y)
{
    __shared__ float ms[32], ss[32];
    const float* row = x + (size_t)blockIdx.x * n;
    float m = -1e30f, s = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        float v = row[j], now = fmaxf(m, v);
        s = s * __expf(m - now) + __expf(v - now);
        m = now;
    }
    float top = warp_max(m);
    s = warp_sum(s * __expf(m - top));
    if (threadIdx.x % 32 == 0) ms[threadIdx.x / 32] = top, ss[threadIdx.x / 32] = s;
    __syncthreads();
    int warps = blockDim.x / 32;
    float all = -1e30f, total = 0;
    for (int w = 0; w < warps; w++) all = fmaxf(all, ms[w]);
    for (int w = 0; w < warps; w++) total += ss[w] * __expf(ms[w] - all);
    for (int j = threadIdx.x; j < n; j += blockDim.x) y[(size_t)blockIdx.x * n + j] = __expf(row[j] - all) / total;
}
KERNEL v_norm_backward(int n, const float* x, const float* dy, const float* w, float* dx)
{
    __shared__ float part[2][8];
    const float4 *xr = (const float4*)(x + (size_t)blockIdx.x * n), *dr = (const float4*)(dy + (size_t)blockIdx.x * n), *wr = (const float4*)w;
    float a = 0, b = 0;
    for (int j = threadIdx.x; j < n / 4; j += blockDim.x) {
        float4 u = xr[j], v = dr[j], g = wr[j];
        a += u.x * v.x * g.x + u.y * v.y * g.y + u.z * v.z * g.z + u.w * v.w * g.w;
        b += u.x * u.x + u.y * u.y + u.z * u.z + u.w * u.w;
    }
    a = warp_sum(a);
    b = warp_sum(b);
    if (threadIdx.x % 32 == 0) part[0][threadIdx.x / 32] = a, part[1][threadIdx.x / 32] = b;
    __syncthreads();
    a = b = 0;
    for (int k = 0; k < blockDim.x / 32; k++) a += part[0][k], b += part[1][k];
    float r = rsqrtf(b / n + 1e-5f), c = a * r * r * r / n;
    float4* out = (float4*)(dx + (size_t)blockIdx.x * n);
    for (int j = threadIdx.x; j < n / 4; j += blockDim.x) {
        float4 u = xr[j], v = dr[j], g = wr[j];
        out[j] = make_float4(v.x * g.x * r - u.x * c, v.y * g.y * r - u.y * c, v.z * g.z * r - u.z * c, v.w * g.w * r - u.w * c);
    }
}
// scores of one head: 64 numbers a row, tiles of 32 x 32, only below the diagonal
KERNEL v_scores(int n, const float* Q, const float* K, float* S)
{
    __shared__ float q[32][65], k[32][65];
    if (blockIdx.x > blockIdx.y) return;
    int tx = threadIdx.x, ty = threadIdx.y;
    size_t head = (size_t)blockIdx.z * n * 64;
    for (int r = ty; r < 32; r += 8)
        for (int c = tx; c < 64; c += 32) {
            q[r][c] = Q[head + (blockIdx.y * 32 + r) * 64 + c];
            k[r][c] = K[head + (blockIdx.x * 32 + r) * 64 + c];
        }
    __syncthreads();
    float s[4] = {};
    for (int c = 0; c < 64; c++)
#pragma unroll
        for (int r = 0; r < 4; r++) s[r] += q[ty + 8 * r][c] * k[tx][c];
    for (int r = 0; r < 4; r++) {
        int i = blockIdx.y * 32 + ty + 8 * r, j = blockIdx.x * 32 + tx;
        if (j <= i) S[((size_t)blockIdx.z * n + i) * n + j] = s[r] * 0.125f;
    }
}
// the four largest numbers of each row, a warp each, lists in registers
KERNEL v_top_four(int n, const float* x, int* best)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float v[4] = {-1, -1, -1, -1};
    int at[4] = {};
    for (int j = lane; j < n; j += 32) {
        float now = x[(size_t)row * n + j];
        int which = j;
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (now > v[k]) {
                float t = v[k];
                v[k] = now, now = t;
                int i = at[k];
                at[k] = which, which = i;
            }
    }
    for (int k = 0; k < 4; k++) {
        float top = warp_max(v[0]);
        unsigned who = __ballot_sync(FULL, v[0] == top);
        int winner = __ffs(who) - 1;
        if (lane == winner) {
            best[row * 4 + k] = at[0];
            v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = -1;
            at[0] = at[1], at[1] = at[2], at[2] = at[3];
        }
    }
}
// 256 complex numbers a block of 64 threads, radix 4, exchanged in shared memory
__device__ inline float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
KERNEL v_fourier_256(const float2* in, float2* out)
{
    __shared__ float2 s[256];
    int t = threadIdx.x;
    float2 v[4];
    for (int k = 0; k < 4; k++) v[k] = in[blockIdx.x * 256 + t + 64 * k];
    for (int step = 1; step < 256; step *= 4) {
        float angle = -6.2831853f * (t % step) / (4 * step);
        for (int k = 1; k < 4; k++) {
            float sn, cs;
            __sincosf(angle * k, &sn, &cs);
            v[k] = times(v[k], make_float2(cs, sn));
        }
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        v[0] = make_float2(a.x + c.x, a.y + c.y);
        v[1] = make_float2(b.x + d.x, b.y + d.y);
        v[2] = make_float2(a.x - c.x, a.y - c.y);
        v[3] = make_float2(b.x - d.x, b.y - d.y);
        int base = t / step * step * 4 + t % step;
        __syncthreads();
        for (int k = 0; k < 4; k++) s[base + k * step] = v[k];
        __syncthreads();
        for (int k = 0; k < 4; k++) v[k] = s[t + 64 * k];
    }
    for (int k = 0; k < 4; k++) out[blockIdx.x * 256 + t + 64 * k] = v[k];
}
// one step of a Stockham transform through memory
KERNEL v_stockham_step(int half, int size, const float2* in, float2* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i & (size - 1), j = ((i - k) << 1) + k;
    float sn, cs;
    sincospif(-(float)k / size, &sn, &cs);
    float2 a = in[i], b = times(in[i + half], make_float2(cs, sn));
    out[j] = make_float2(a.x + b.x, a.y + b.y);
    out[j + size] = make_float2(a.x - b.x, a.y - b.y);
}
// discrete cosine transform of tiles of 8 x 8
__constant__ float cosines[64];
KERNEL v_cosine_tiles(int wide, const float* in, float* out)
{
    __shared__ float a[4][8][9], b[4][8][9];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, left = (blockIdx.x * 4 + z) * 8, top = blockIdx.y * 8;
    a[z][y][x] = in[(top + y) * wide + left + x] - 128.0f;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 8; k++) s += a[z][y][k] * cosines[x * 8 + k];
    b[z][y][x] = s;
    __syncthreads();
    s = 0;
    for (int k = 0; k < 8; k++) s += b[z][k][x] * cosines[y * 8 + k];
    out[(top + y) * wide + left + x] = s;
}
// 7 x 7 filter of an image with its halo in shared memory
__constant__ float weights[49];
KERNEL v_filter_halo(int wide, int high, const float* in, float* out)
{
    __shared__ float tile[22][38];
    int x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 16 - 3;
    for (int r = threadIdx.y; r < 22; r += 16)
        for (int c = threadIdx.x; c < 38; c += 32) {
            int x = min(max(x0 + c, 0), wide - 1), y = min(max(y0 + r, 0), high - 1);
            tile[r][c] = in[y * wide + x];
        }
    __syncthreads();
    float s = 0;
#pragma unroll
    for (int i = 0; i < 7; i++)
#pragma unroll
        for (int j = 0; j < 7; j++) s += weights[i * 7 + j] * tile[threadIdx.y + i][threadIdx.x + j];
    out[(blockIdx.y * 16 + threadIdx.y) * wide + blockIdx.x * 32 + threadIdx.x] = s;
}
KERNEL v_dilate(int wide, int high, const uchar4* in, uchar4* out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high) return;
    unsigned best = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int u = min(max(x + dx, 0), wide - 1), v = min(max(y + dy, 0), high - 1);
            best = __vmaxu4(best, *(const unsigned*)&in[v * wide + u]);
        }
    *(unsigned*)&out[y * wide + x] = best;
}
KERNEL v_turn_image(int wide, int high, float cs, float sn, const float* in, float* out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = cs * (x - wide / 2) - sn * (y - high / 2) + wide / 2, v = sn * (x - wide / 2) + cs * (y - high / 2) + high / 2, result = 0;
    int i = (int)floorf(u), j = (int)floorf(v);
    if (i >= 0 && j >= 0 && i < wide - 1 && j < high - 1) {
        float f = u - i, g = v - j;
        const float* p = in + j * wide + i;
        result = (1 - g) * ((1 - f) * p[0] + f * p[1]) + g * ((1 - f) * p[wide] + f * p[wide + 1]);
    }
    out[y * wide + x] = result;
}
// direct 3 x 3 convolution of layers, four output channels a thread
KERNEL v_convolve_layers(int cin, int wide, int high, const float* in, const float* w, float* out)
{
    __shared__ float tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, co = blockIdx.z * 4;
    float s[4] = {};
    for (int c = 0; c < cin; c++) {
        __syncthreads();
        for (int r = threadIdx.y; r < 10; r += 8)
            for (int q = threadIdx.x; q < 34; q += 32) {
                int u = blockIdx.x * 32 + q - 1, v = blockIdx.y * 8 + r - 1;
                tile[r][q] = u >= 0 && v >= 0 && u < wide && v < high ? in[(c * high + v) * wide + u] : 0.0f;
            }
        __syncthreads();
#pragma unroll
        for (int o = 0; o < 4; o++)
#pragma unroll
            for (int t = 0; t < 9; t++) s[o] += w[((co + o) * cin + c) * 9 + t] * tile[threadIdx.y + t / 3][threadIdx.x + t % 3];
    }
    for (int o = 0; o < 4; o++) out[((co + o) * high + y) * wide + x] = s[o];
}
// mean and variance of channels over images
KERNEL v_channel_stats(int images, int channels, int pixels, const float* x, float* mean, float* var)
{
    __shared__ float a[8], b[8];
    int c = blockIdx.x;
    float s = 0, q = 0;
    for (int i = 0; i < images; i++)
        for (int p = threadIdx.x; p < pixels; p += blockDim.x) {
            float v = x[((size_t)i * channels + c) * pixels + p];
            s += v;
            q += v * v;
        }
    s = warp_sum(s);
    q = warp_sum(q);
    if (threadIdx.x % 32 == 0) a[threadIdx.x / 32] = s, b[threadIdx.x / 32] = q;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++) s += a[k], q += b[k];
        float n = (float)images * pixels;
        mean[c] = s / n;
        var[c] = q / n - s / n * (s / n);
    }
}
// axes (x, y, z) to (z, x, y), tiles of 32 x 32
KERNEL v_axes(int nx, int ny, int nz, const float* in, float* out)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, z = blockIdx.y * 32 + threadIdx.y, y = blockIdx.z;
    for (int k = 0; k < 32; k += 8) t[threadIdx.y + k][threadIdx.x] = in[((z + k) * ny + y) * nx + x];
    __syncthreads();
    z = blockIdx.y * 32 + threadIdx.x, x = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(y * nx + x + k) * nz + z] = t[threadIdx.x][threadIdx.y + k];
}
// half precision: bias, residual and a gate
KERNEL v_gate_half(int n, const half2* a, const half2* gate, const half2* bias, half2* out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 g = __half22float2(gate[i]), v = __half22float2(__hadd2(a[i], bias[i & 2047]));
        v.x *= 1.0f / (1.0f + __expf(-g.x));
        v.y *= 1.0f / (1.0f + __expf(-g.y));
        out[i] = __hadd2(out[i], __float22half2_rn(v));
    }
}
