// Layers of networks and products by tensor cores in the manner of public collections and libraries.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#define KERNEL extern "C" __global__ void
#define FULL 0xffffffffu
typedef unsigned U;
namespace cg = cooperative_groups;
using namespace nvcuda;

__device__ float warp_sum(float v)
{
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(FULL, v, o);
    return v;
}
// norm of rows of halves: two at a time in registers, sums by warps and shared memory
KERNEL c_norm_rows(int width, const __half2* x, const __half2* gamma, const __half2* beta, __half2* y)
{
    __shared__ float s[2][8];
    const __half2* row = x + (size_t)blockIdx.x * width / 2;
    float sum = 0, square = 0;
    __half2 keep[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int i = threadIdx.x + k * 256;
        if (i < width / 2) {
            keep[k] = row[i];
            float2 v = __half22float2(keep[k]);
            sum += v.x + v.y, square += v.x * v.x + v.y * v.y;
        }
    }
    sum = warp_sum(sum), square = warp_sum(square);
    if (threadIdx.x % 32 == 0) s[0][threadIdx.x / 32] = sum, s[1][threadIdx.x / 32] = square;
    __syncthreads();
    sum = square = 0;
    for (int k = 0; k < 8; k++) sum += s[0][k], square += s[1][k];
    float mean = sum / width, scale = rsqrtf(square / width - mean * mean + 1e-5f);
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int i = threadIdx.x + k * 256;
        if (i < width / 2) {
            float2 v = __half22float2(keep[k]), g = __half22float2(gamma[i]), b = __half22float2(beta[i]);
            y[(size_t)blockIdx.x * width / 2 + i] = __floats2half2_rn((v.x - mean) * scale * g.x + b.x, (v.y - mean) * scale * g.y + b.y);
        }
    }
}
// bags of rows of a table, whose lengths differ: a warp for each bag
KERNEL c_bags(int bags, int width, const int* offsets, const int* index, const float4* table, float4* out)
{
    int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (bag >= bags) return;
    for (int c = lane; c < width / 4; c += 32) {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int k = offsets[bag]; k < offsets[bag + 1]; k++) {
            float4 v = table[(size_t)index[k] * (width / 4) + c];
            sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        }
        out[(size_t)bag * (width / 4) + c] = sum;
    }
}
// the k largest of a row by their bits: counts of digits in shared memory, from the highest digit
KERNEL c_largest(int n, int k, const U* a, U* border)
{
    __shared__ U counts[256], chosen, left;
    const U* row = a + (size_t)blockIdx.x * n;
    U prefix = 0, mask = 0;
    if (threadIdx.x == 0) left = k;
    for (int shift = 24; shift >= 0; shift -= 8) {
        counts[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += 256) {
            U v = row[i];
            if ((v & mask) == prefix) atomicAdd(&counts[v >> shift & 255], 1);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            U sum = 0;
            int d = 255;
            for (; d > 0; d--) {
                if (sum + counts[d] >= left) break;
                sum += counts[d];
            }
            chosen = d, left -= sum;
        }
        __syncthreads();
        prefix |= chosen << shift, mask |= 255u << shift;
    }
    if (threadIdx.x == 0) border[blockIdx.x] = prefix;
}
// sequences of different lengths: a block for each head and sequence, one query, keys and values in pages
KERNEL c_decode(int heads, int pages, const int* length, const int* page, const __half2* q, const __half2* keys, const __half2* values, float* out)
{
    extern __shared__ float score[];
    __shared__ float part[8];
    int head = blockIdx.x, sequence = blockIdx.y, n = length[sequence], w = threadIdx.x / 32, lane = threadIdx.x % 32;
    __half2 mine[2];
    for (int k = 0; k < 2; k++) mine[k] = q[(sequence * heads + head) * 64 + lane + 32 * k];
    float top = -1e30f;
    for (int t = w; t < n; t += 8) {
        size_t at = ((size_t)page[sequence * pages + t / 16] * 16 + t % 16) * heads * 64 + head * 64;
        float dot = 0;
        for (int k = 0; k < 2; k++) {
            float2 a = __half22float2(mine[k]), b = __half22float2(keys[at + lane + 32 * k]);
            dot += a.x * b.x + a.y * b.y;
        }
        dot = warp_sum(dot) * 0.088f;
        if (lane == 0) score[t] = dot;
        top = fmaxf(top, dot);
    }
    if (lane == 0) part[w] = top;
    __syncthreads();
    for (int k = 0; k < 8; k++) top = fmaxf(top, part[k]);
    __syncthreads();
    float sum = 0;
    for (int t = threadIdx.x; t < n; t += 256) sum += score[t] = __expf(score[t] - top);
    sum = warp_sum(sum);
    if (lane == 0) part[w] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++) sum += part[k];
    int c = threadIdx.x % 64, group = threadIdx.x / 64;
    float2 acc = make_float2(0, 0);
    for (int t = group; t < n; t += 4) {
        float2 v = __half22float2(values[((size_t)page[sequence * pages + t / 16] * 16 + t % 16) * heads * 64 + head * 64 + c]);
        acc.x += score[t] * v.x, acc.y += score[t] * v.y;
    }
    atomicAdd(&out[(sequence * heads + head) * 128 + 2 * c], acc.x / sum), atomicAdd(&out[(sequence * heads + head) * 128 + 2 * c + 1], acc.y / sum);
}
// convolution of a picture's channels apart: tiles with borders in shared memory, 3 x 3, several rows a thread
KERNEL c_depthwise(int channels, int side, const float* x, const float* w, float* y)
{
    __shared__ float s[34][34];
    const float* plane = x + (size_t)blockIdx.z * side * side;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 34 * 34; i += 256) {
        int px = x0 + i % 34 - 1, py = y0 + i / 34 - 1;
        s[i / 34][i % 34] = px >= 0 && px < side && py >= 0 && py < side ? plane[py * side + px] : 0;
    }
    float k[9];
    for (int i = 0; i < 9; i++) k[i] = w[blockIdx.z % channels * 9 + i];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8) {
        float sum = 0;
        for (int i = 0; i < 9; i++) sum += k[i] * s[r + i / 3][threadIdx.x + i % 3];
        y[(size_t)blockIdx.z * side * side + (y0 + r) * side + x0 + threadIdx.x] = sum;
    }
}
template <int STAGES> __device__ void staged_product(int n, int depth, const __half* a, const __half* b, float* c, __half (*sa)[64][40], __half (*sb)[32][72])
{
    int w = threadIdx.x / 32, wm = w / 2 * 32, wn = w % 2 * 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.f);
    auto fetch = [&](int stage, int k) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            __pipeline_memcpy_async(&sa[stage][i / 4][i % 4 * 8], a + (size_t)(row + i / 4) * depth + k + i % 4 * 8, 16);
            __pipeline_memcpy_async(&sb[stage][i / 8][i % 8 * 8], b + (size_t)(k + i / 8) * n + column + i % 8 * 8, 16);
        }
        __pipeline_commit();
    };
    for (int s = 0; s < STAGES - 1; s++) fetch(s, s * 32);
    for (int k = 0; k < depth; k += 32) {
        int stage = k / 32 % STAGES;
        if (k + (STAGES - 1) * 32 < depth) fetch((k / 32 + STAGES - 1) % STAGES, k + (STAGES - 1) * 32);
        else __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++) wmma::load_matrix_sync(fa[i], &sa[stage][wm + i * 16][kk], 40), wmma::load_matrix_sync(fb[i], &sb[stage][kk][wn + i * 16], 72);
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::store_matrix_sync(c + (size_t)(row + wm + i * 16) * n + column + wn + j * 16, acc[i][j], n, wmma::mem_row_major);
}
// tiles of 64 x 64 by wmma, copied asynchronously in two and in four stages
KERNEL __launch_bounds__(128) c_wmma_stages2(int n, int depth, const __half* a, const __half* b, float* c)
{
    __shared__ __align__(16) __half sa[2][64][40];
    __shared__ __align__(16) __half sb[2][32][72];
    staged_product<2>(n, depth, a, b, c, sa, sb);
}
KERNEL __launch_bounds__(128) c_wmma_stages4(int n, int depth, const __half* a, const __half* b, float* c)
{
    __shared__ __align__(16) __half sa[4][64][40];
    __shared__ __align__(16) __half sb[4][32][72];
    staged_product<4>(n, depth, a, b, c, sa, sb);
}
__device__ void mma_int8(int* d, const U* a, const U* b)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// products of bytes: fragments read from memory as they lie, rows scaled at the end
KERNEL c_bytes_direct(int n, int depth, const unsigned char* a, const unsigned char* b, const float* scale, __half* c)
{
    int w = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.y * 64 + w % 4 * 16 + lane / 4, column = blockIdx.x * 64 + w / 4 * 32;
    int d[4][4] = {};
    for (int k = lane % 4 * 4; k < depth; k += 32) {
        U fa[4], fb[2];
        fa[0] = *(const U*)(a + (size_t)row * depth + k), fa[1] = *(const U*)(a + (size_t)(row + 8) * depth + k);
        fa[2] = *(const U*)(a + (size_t)row * depth + k + 16), fa[3] = *(const U*)(a + (size_t)(row + 8) * depth + k + 16);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const unsigned char* at = b + (size_t)(column + j * 8 + lane / 4) * depth + k;
            fb[0] = *(const U*)at, fb[1] = *(const U*)(at + 16);
            mma_int8(d[j], fa, fb);
        }
    }
    for (int j = 0; j < 4; j++) {
        __half* out = c + (size_t)row * n + column + j * 8 + lane % 4 * 2;
        *(__half2*)out = __floats2half2_rn(d[j][0] * scale[row], d[j][1] * scale[row]);
        *(__half2*)(out + 8 * n) = __floats2half2_rn(d[j][2] * scale[row + 8], d[j][3] * scale[row + 8]);
    }
}
// products of doubles by tensor cores, operands in shared memory
KERNEL c_doubles_wmma(int n, int depth, const double* a, const double* b, double* c)
{
    __shared__ double sa[64][20], sb[16][68];
    int w = threadIdx.x / 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> acc[8];
    for (int j = 0; j < 8; j++) wmma::fill_fragment(acc[j], 0.);
    for (int k = 0; k < depth; k += 16) {
        __syncthreads();
        for (int i = threadIdx.x; i < 1024; i += 256) {
            sa[i / 16][i % 16] = a[(size_t)(row + i / 16) * depth + k + i % 16];
            sb[i / 64][i % 64] = b[(size_t)(k + i / 64) * n + column + i % 64];
        }
        __syncthreads();
        for (int kk = 0; kk < 16; kk += 4) {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
            wmma::load_matrix_sync(fa, &sa[w * 8][kk], 20);
            for (int j = 0; j < 8; j++) {
                wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
                wmma::load_matrix_sync(fb, &sb[kk][j * 8], 68);
                wmma::mma_sync(acc[j], fa, fb, acc[j]);
            }
        }
    }
    for (int j = 0; j < 8; j++) wmma::store_matrix_sync(c + (size_t)(row + w * 8) * n + column + j * 8, acc[j], n, wmma::mem_row_major);
}
__device__ void mma_half(float* d, const U* a, U b0, U b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ void four_tiles(U* r, const void* at)
{
    U p = __cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
}
__device__ void four_turned(U* r, const void* at)
{
    U p = __cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
}
// attention with scores in registers: four warps with 16 queries each, keys and values of 64 in shared memory, causal or not
KERNEL __launch_bounds__(128) c_attention(int length, int causal, const __half* q, const __half* k, const __half* v, __half* out)
{
    __shared__ __align__(16) __half sk[64][72];
    __shared__ __align__(16) __half sv[64][72];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * 64;
    size_t head = (size_t)blockIdx.y * length * 64;
    for (int i = threadIdx.x; i < 512; i += 128) *(uint4*)&sk[i / 8][i % 8 * 8] = *(const uint4*)(q + head + (size_t)(first + i / 8) * 64 + i % 8 * 8);
    __syncthreads();
    U fq[4][4];
    for (int i = 0; i < 4; i++) four_tiles(fq[i], &sk[w * 16 + lane % 16][i * 16 + lane / 16 * 8]);
    float o[8][4] = {}, top[2] = {-1e30f, -1e30f}, sum[2] = {0, 0};
    int end = causal ? first + 64 : length;
    for (int base = 0; base < end; base += 64) {
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 128) {
            __pipeline_memcpy_async(&sk[i / 8][i % 8 * 8], k + head + (size_t)(base + i / 8) * 64 + i % 8 * 8, 16);
            __pipeline_memcpy_async(&sv[i / 8][i % 8 * 8], v + head + (size_t)(base + i / 8) * 64 + i % 8 * 8, 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        float s[8][4] = {};
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) {
                U b[4];
                four_tiles(b, &sk[j * 16 + lane % 16][i * 16 + lane / 16 * 8]);
                mma_half(s[2 * j], fq[i], b[0], b[2]), mma_half(s[2 * j + 1], fq[i], b[1], b[3]);
            }
        for (int r = 0; r < 2; r++) {
            float m = top[r];
            for (int j = 0; j < 8; j++)
                for (int e = 0; e < 2; e++) {
                    int column = base + j * 8 + lane % 4 * 2 + e, line = first + w * 16 + lane / 4 + 8 * r;
                    if (causal && column > line) s[j][2 * r + e] = -1e30f;
                    m = fmaxf(m, s[j][2 * r + e]);
                }
            m = fmaxf(m, __shfl_xor_sync(FULL, m, 1)), m = fmaxf(m, __shfl_xor_sync(FULL, m, 2));
            float scale = exp2f((top[r] - m) * 0.18f), add = 0;
            for (int j = 0; j < 8; j++)
                for (int e = 0; e < 2; e++) add += s[j][2 * r + e] = exp2f((s[j][2 * r + e] - m) * 0.18f);
            sum[r] = sum[r] * scale + add, top[r] = m;
            for (int j = 0; j < 8; j++) o[j][2 * r] *= scale, o[j][2 * r + 1] *= scale;
        }
        for (int i = 0; i < 4; i++) {
            U p[4];
            for (int e = 0; e < 4; e++) {
                __half2 h = __floats2half2_rn(s[2 * i + e / 2][e % 2 * 2], s[2 * i + e / 2][e % 2 * 2 + 1]);
                p[e] = *(U*)&h;
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                U b[4];
                four_turned(b, &sv[i * 16 + lane % 16][j * 16 + lane / 16 * 8]);
                mma_half(o[2 * j], p, b[0], b[1]), mma_half(o[2 * j + 1], p, b[2], b[3]);
            }
        }
    }
    for (int r = 0; r < 2; r++) {
        float all = sum[r] + __shfl_xor_sync(FULL, sum[r], 1);
        all += __shfl_xor_sync(FULL, all, 2);
        for (int j = 0; j < 8; j++)
            *(__half2*)(out + head + (size_t)(first + w * 16 + lane / 4 + 8 * r) * 64 + j * 8 + lane % 4 * 2) = __floats2half2_rn(o[j][2 * r] / all, o[j][2 * r + 1] / all);
    }
}
// tiles drawn by persistent blocks in turn: 128 x 64 of a product of bf16 by mma, operands through registers into shared memory
__device__ void mma_bf16(float* d, const U* a, U b0, U b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
KERNEL __launch_bounds__(256) c_persistent_bf16(int m, int n, int depth, const __nv_bfloat16* a, const __nv_bfloat16* b, const float* bias, __nv_bfloat16* c)
{
    __shared__ __align__(16) __nv_bfloat16 sa[128][40];
    __shared__ __align__(16) __nv_bfloat16 sb[64][40];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32, across = n / 64, tiles = m / 128 * across;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int row = tile / across * 128, column = tile % across * 64;
        float d[8][4] = {};
        uint4 ra[2], rb;
        auto load = [&](int k) {
            for (int i = 0; i < 2; i++) ra[i] = *(const uint4*)(a + (size_t)(row + threadIdx.x / 4 + 64 * i) * depth + k + threadIdx.x % 4 * 8);
            rb = *(const uint4*)(b + (size_t)(column + threadIdx.x / 4) * depth + k + threadIdx.x % 4 * 8);
        };
        load(0);
        for (int k = 0; k < depth; k += 32) {
            __syncthreads();
            for (int i = 0; i < 2; i++) *(uint4*)&sa[threadIdx.x / 4 + 64 * i][threadIdx.x % 4 * 8] = ra[i];
            *(uint4*)&sb[threadIdx.x / 4][threadIdx.x % 4 * 8] = rb;
            __syncthreads();
            if (k + 32 < depth) load(k + 32);
            for (int kk = 0; kk < 32; kk += 16) {
                U fa[4], fb[4];
                four_tiles(fa, &sa[w * 16 + lane % 16][kk + lane / 16 * 8]);
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    four_tiles(fb, &sb[j * 16 + lane % 16][kk + lane / 16 * 8]);
                    mma_bf16(d[2 * j], fa, fb[0], fb[2]), mma_bf16(d[2 * j + 1], fa, fb[1], fb[3]);
                }
            }
        }
        for (int j = 0; j < 8; j++) {
            int at = column + j * 8 + lane % 4 * 2;
            float b0 = bias[at], b1 = bias[at + 1];
            for (int r = 0; r < 2; r++) {
                float x = d[j][2 * r] + b0, y = d[j][2 * r + 1] + b1;
                x = 0.5f * x * (1 + tanhf(0.798f * (x + 0.0447f * x * x * x))), y = 0.5f * y * (1 + tanhf(0.798f * (y + 0.0447f * y * y * y)));
                *(__nv_bfloat162*)(c + (size_t)(row + w * 16 + lane / 4 + 8 * r) * n + at) = __floats2bfloat162_rn(x, y);
            }
        }
    }
}
// weights of four bits in groups of 128, one row of a matrix for each warp, a vector of halves
KERNEL c_nibbles(int rows, int depth, const uint4* weights, const __half2* scales, const __half2* x, float* y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = lane; k < depth / 32; k += 32) {
        uint4 v = weights[(size_t)row * (depth / 32) + k];
        float2 s = __half22float2(scales[(size_t)row * (depth / 128) + k / 4]);
        U words[4] = {v.x, v.y, v.z, v.w};
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                float2 a = __half22float2(x[k * 16 + i * 4 + j]);
                sum += ((int)(words[i] >> (8 * j) & 15) - 8) * s.x * a.x + ((int)(words[i] >> (8 * j + 4) & 15) - 8) * s.x * a.y;
            }
    }
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}
// a scan over time with a state for each channel, as in selective state spaces: 16 numbers of state a thread
KERNEL c_state_scan(int steps, int channels, const float* u, const float* delta, const float* a, const float* b, const float* c, float* y)
{
    int channel = blockIdx.x * blockDim.x + threadIdx.x;
    float state[16] = {}, rate[16];
    for (int k = 0; k < 16; k++) rate[k] = a[channel * 16 + k];
    const float *ub = u + (size_t)blockIdx.y * steps * channels, *db = delta + (size_t)blockIdx.y * steps * channels;
    const float *bb = b + (size_t)blockIdx.y * steps * 16, *cb = c + (size_t)blockIdx.y * steps * 16;
    for (int t = 0; t < steps; t++) {
        float x = ub[t * channels + channel], d = db[t * channels + channel], out = 0;
#pragma unroll
        for (int k = 0; k < 16; k++) {
            state[k] = __expf(-d * rate[k]) * state[k] + d * bb[t * 16 + k] * x;
            out += state[k] * cb[t * 16 + k];
        }
        y[(size_t)blockIdx.y * steps * channels + t * channels + channel] = out;
    }
}
