// Programs of many kinds, to see which mechanisms are wrong; none of them is in the reported sets.
#include <cuda_fp16.h>
#include <mma.h>

#include "../kernels/common.cuh"

// ------------------------------------------------------------------------------------------- unequal work

// row sums below the diagonal, a thread for each row
KERNEL w_lower_rows(const float* a, float* out, int n) {
    const int row = global_x();
    if (row >= n) return;
    float sum = 0;
    for (int k = 0; k <= row; ++k) sum += a[k * n + row];
    out[row] = sum;
}

// the same, a block for each row
KERNEL w_lower_blocks(const float* a, float* out, int n) {
    const int row = blockIdx.x;
    float sum = 0;
    for (int k = threadIdx.x; k <= row; k += blockDim.x) sum += a[row * n + k];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(&out[row], sum);
}

// tiles above the diagonal only: most blocks leave at once
KERNEL w_upper_tiles(const float* a, float* c, int n) {
    if (blockIdx.x < blockIdx.y) return;
    __shared__ float s[16][17], q[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y, x = global_x(), y = global_y();
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[ty][tx] = a[y * n + k + tx];
        q[ty][tx] = a[(blockIdx.x * 16 + ty) * n + k + tx];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += s[ty][j] * q[tx][j];
        __syncthreads();
    }
    if (x >= y) c[y * n + x] = sum;
}

// all pairs i < j by one number that is taken apart by a square root
KERNEL w_pairs(const float* p, float* out, int n, int pairs) {
    const int k = global_x();
    if (k >= pairs) return;
    int i = static_cast<int>(n - 0.5f - sqrtf((n - 0.5f) * (n - 0.5f) - 2.0f * k));
    i = max(0, min(i, n - 2));
    int j = k - i * (2 * n - i - 1) / 2 + i + 1;
    j = max(0, min(j, n - 1));
    const float d = p[i] - p[j];
    out[k] = d * d;
}

// blocks of the edge do more: a stencil that goes round at the border, odd sizes
KERNEL w_border(const float* in, float* out, int width, int height) {
    const int x = global_x(), y = global_y();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            int u = x + dx, v = y + dy;
            if (u < 0) u += width; else if (u >= width) u -= width;
            if (v < 0) v += height; else if (v >= height) v -= height;
            sum += in[v * width + u] * (1.0f / (1 + dx * dx + dy * dy));
        }
    out[y * width + x] = sum;
}

// work by the block's number in no order
KERNEL w_uneven_blocks(float* out, int least, int most) {
    float v = threadIdx.x;
    const int rounds = least + static_cast<int>(blockIdx.x * 2654435761u >> 16) % (most - least);
    for (int k = 0; k < rounds; ++k) v = v * 1.0001f + 0.5f;
    out[global_x()] = v;
}

// work by the warp's number within a block
KERNEL w_uneven_warps(const float* in, float* out, int n) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < n * (warp + 1); k += 32) sum += in[blockIdx.x * n * 8 + k];
    out[global_x()] = sum;
}

// ------------------------------------------------------------------------------------------- stencils and images

KERNEL w_star7_double(const double* in, double* out, int n) {
    const int x = global_x(), y = global_y(), z = global_z();
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const int at = (z * n + y) * n + x;
    out[at] = 0.5 * in[at] + 0.1 * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n]);
}

KERNEL w_five_points(const float* in, float* out, int n) {
    const int x = global_x(), y = global_y();
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

// several rows a thread, values of the rows above kept in registers
KERNEL w_rolling_rows(const float* in, float* out, int n, int rows) {
    const int x = global_x();
    if (x < 1 || x >= n - 1) return;
    int y = blockIdx.y * rows + 1;
    float up = in[(y - 1) * n + x], here = in[y * n + x];
    for (int k = 0; k < rows && y < n - 1; ++k, ++y) {
        const float down = in[(y + 1) * n + x];
        out[y * n + x] = 0.2f * (up + here + down + in[y * n + x - 1] + in[y * n + x + 1]);
        up = here;
        here = down;
    }
}

// a tile with its border in shared memory, 9 by 9 weights from constant memory
__constant__ float w_weights[81] = {1, 2, 3};
KERNEL w_filter9_shared(const float* in, float* out, int width) {
    __shared__ float s[24][40];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 24 * 40; k += 512) s[k / 40][k % 40] = in[(y0 + k / 40) * width + x0 + k % 40];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 9; ++i)
#pragma unroll
        for (int j = 0; j < 9; ++j) sum += w_weights[i * 9 + j] * s[threadIdx.y + i][threadIdx.x + j];
    out[(y0 + threadIdx.y) * width + x0 + threadIdx.x] = sum;
}

// colours to grey, bytes in threes and fours
KERNEL w_grey(const uchar4* in, unsigned char* out, int n) {
    const int i = global_x();
    if (i >= n) return;
    const uchar4 p = in[i];
    out[i] = static_cast<unsigned char>((p.x * 77 + p.y * 150 + p.z * 29) >> 8);
}

KERNEL w_planes(const unsigned char* in, float* out, int n) {
    const int i = global_x();
    if (i >= n) return;
    for (int c = 0; c < 3; ++c) out[c * n + i] = in[3 * i + c] * (1.0f / 255);
}

// bilinear resampling
KERNEL w_resample(const float* in, float* out, int width, int height, float scale) {
    const int x = global_x(), y = global_y();
    const float u = x * scale, v = y * scale;
    const int i = static_cast<int>(u), j = static_cast<int>(v);
    const float a = u - i, b = v - j;
    const float* p = in + j * width + i;
    out[y * (gridDim.x * blockDim.x) + x] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[width] + a * p[width + 1]);
}

// 3 by 3 median by a sorting network
KERNEL w_median(const float* in, float* out, int n) {
    const int x = global_x(), y = global_y();
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    float v[9];
    for (int k = 0; k < 9; ++k) v[k] = in[(y + k / 3 - 1) * n + x + k % 3 - 1];
    for (int i = 0; i < 5; ++i)
        for (int j = 8; j > i; --j) {
            const float low = fminf(v[j - 1], v[j]), high = fmaxf(v[j - 1], v[j]);
            v[j - 1] = low;
            v[j] = high;
        }
    out[y * n + x] = v[4];
}

// ------------------------------------------------------------------------------------------- rows: sums, scans, softmax

KERNEL w_softmax_warp(const float* in, float* out, int columns) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    float v[16], most = -1e30f, sum = 0;
    for (int k = 0; k < 16; ++k) v[k] = in[row * columns + k * 32 + lane], most = fmaxf(most, v[k]);
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
    for (int k = 0; k < 16; ++k) v[k] = __expf(v[k] - most), sum += v[k];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
    for (int k = 0; k < 16; ++k) out[row * columns + k * 32 + lane] = v[k] / sum;
}

KERNEL w_norm_half(const __half2* in, __half2* out, int pairs) {
    __shared__ float part[8];
    const __half2* row = in + static_cast<size_t>(blockIdx.x) * pairs;
    float sum = 0;
    for (int k = threadIdx.x; k < pairs; k += 256) {
        const float2 v = __half22float2(row[k]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; ++k) sum += part[k];
    const float scale = rsqrtf(sum / pairs + 1e-5f);
    for (int k = threadIdx.x; k < pairs; k += 256) out[static_cast<size_t>(blockIdx.x) * pairs + k] = __hmul2(row[k], __float2half2_rn(scale));
}

KERNEL w_block_scan(const int* in, int* out) {
    __shared__ int totals[32];
    const int i = global_x(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int v = in[i];
    for (int step = 1; step < 32; step *= 2) {
        const int left = __shfl_up_sync(~0u, v, step);
        if (lane >= step) v += left;
    }
    if (lane == 31) totals[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int t = lane < blockDim.x / 32 ? totals[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int left = __shfl_up_sync(~0u, t, step);
            if (lane >= step) t += left;
        }
        totals[lane] = t;
    }
    __syncthreads();
    out[i] = v + (warp > 0 ? totals[warp - 1] : 0);
}

KERNEL w_argmax(const float* in, int* out, int columns) {
    __shared__ float best[128];
    __shared__ int where[128];
    const int t = threadIdx.x;
    float most = -1;
    int at = 0;
    for (int k = t; k < columns; k += 128) {
        const float v = in[static_cast<size_t>(blockIdx.x) * columns + k];
        if (v > most) most = v, at = k;
    }
    best[t] = most;
    where[t] = at;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && best[t + half] > best[t]) best[t] = best[t + half], where[t] = where[t + half];
    }
    if (t == 0) out[blockIdx.x] = where[0];
}

// ------------------------------------------------------------------------------------------- arithmetic

KERNEL w_random_walk(float* out, int rounds) {
    unsigned a = global_x() * 2654435761u + 1, b = a ^ 0x9e3779b9u;
    float x = 0;
    for (int k = 0; k < rounds; ++k) {
        const unsigned t = a ^ (a << 11);
        a = b;
        b = b ^ (b >> 19) ^ t ^ (t >> 8);
        x += (b >> 8) * (1.0f / 16777216) - 0.5f;
    }
    out[global_x()] = x;
}

KERNEL w_philox(unsigned* out, int rounds) {
    unsigned c0 = global_x(), c1 = 0, c2 = 0, c3 = 0, k0 = 1, k1 = 2, sum = 0;
    for (int r = 0; r < rounds; ++r) {
        const unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0, h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
        sum += c0;
    }
    out[global_x()] = sum;
}

KERNEL w_option_tree(const float* strike, float* out, int steps) {
    __shared__ float v[257];
    const int t = threadIdx.x;
    v[t] = fmaxf(0.0f, strike[blockIdx.x] * __expf(0.01f * (2 * t - steps)) - 1.0f);
    for (int s = steps; s > 0; --s) {
        __syncthreads();
        const float a = v[t], b = v[t + 1];
        __syncthreads();
        if (t < s) v[t] = 0.49f * a + 0.5f * b;
    }
    if (t == 0) out[blockIdx.x] = v[0];
}

KERNEL w_bodies_double(const double4_16a* p, double4_16a* out, int n) {
    const int i = global_x();
    const double4_16a me = p[i];
    double x = 0, y = 0, z = 0;
    for (int k = 0; k < n; ++k) {
        const double4_16a q = p[k];
        const double dx = q.x - me.x, dy = q.y - me.y, dz = q.z - me.z;
        const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01), f = q.w * inverse * inverse * inverse;
        x += dx * f;
        y += dy * f;
        z += dz * f;
    }
    out[i] = make_double4_16a(x, y, z, 0);
}

// escape times of a fractal, another rule than z² + c
KERNEL w_escape(int* out, int width, int limit) {
    const int x = global_x(), y = global_y();
    const float cr = -1.8f + 2.2f * x / width, ci = -1.6f + 2.2f * y / width;
    float zr = 0, zi = 0;
    int k = 0;
    for (; k < limit && zr * zr + zi * zi < 4; ++k) {
        const float t = zr * zr - zi * zi + cr;
        zi = fabsf(2 * zr * zi) + ci;
        zr = t;
    }
    out[y * width + x] = k;
}

KERNEL w_half_chain(const __half2* in, __half2* out, int rounds) {
    const int i = global_x();
    __half2 a = in[i], b = a, c = a, d = a;
    const __half2 m = __float2half2_rn(0.99f), s = __float2half2_rn(0.01f);
    for (int k = 0; k < rounds; ++k) a = __hfma2(a, m, s), b = __hfma2(b, m, s), c = __hfma2(c, m, s), d = __hfma2(d, m, s);
    out[i] = __hadd2(__hadd2(a, b), __hadd2(c, d));
}

KERNEL w_dot_bytes(const int* a, const int* b, int* out, int n) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    int sum = 0;
    for (int k = lane; k < n; k += 32) sum = __dp4a(a[row * n + k], b[k], sum);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) out[row] = sum;
}

// polynomials of degree 31 with coefficients in registers, four at a time
KERNEL w_horner(const float* in, float* out, int rounds) {
    const int i = global_x();
    float x = in[i], r = 0;
    for (int k = 0; k < rounds; ++k) {
        float p = 1;
#pragma unroll
        for (int d = 0; d < 31; ++d) p = p * x + 0.03f * d;
        r += p;
        x *= 0.999f;
    }
    out[i] = r;
}

// a private array that is indexed by data: local memory
KERNEL w_private(const int* in, int* out, int n) {
    int bins[32] = {};
    const int i = global_x();
    for (int k = 0; k < n; ++k) bins[in[k * gridDim.x * blockDim.x + i] & 31] += k;
    int sum = 0;
    for (int k = 0; k < 32; ++k) sum ^= bins[k];
    out[i] = sum;
}

// a product of half-precision tiles by tensor cores from shared memory
KERNEL w_tensor_tiles(const __half* a, const __half* b, float* c, int n) {
    using namespace nvcuda::wmma;
    __shared__ __half s[64][40], q[32][72];
    const int t = threadIdx.x, warp = t / 32, wy = warp / 2 * 32, wx = warp % 2 * 32;
    fragment<accumulator, 16, 16, 16, float> sum[2][2];
    for (auto& row : sum) for (auto& f : row) fill_fragment(f, 0.0f);
    for (int k = 0; k < n; k += 32) {
        for (int e = t; e < 64 * 32 / 8; e += 128) *reinterpret_cast<uint4*>(&s[e / 4][e % 4 * 8]) = *reinterpret_cast<const uint4*>(&a[(blockIdx.y * 64 + e / 4) * n + k + e % 4 * 8]);
        for (int e = t; e < 32 * 64 / 8; e += 128) *reinterpret_cast<uint4*>(&q[e / 8][e % 8 * 8]) = *reinterpret_cast<const uint4*>(&b[(k + e / 8) * n + blockIdx.x * 64 + e % 8 * 8]);
        __syncthreads();
        for (int j = 0; j < 32; j += 16) {
            fragment<matrix_a, 16, 16, 16, __half, row_major> fa[2];
            fragment<matrix_b, 16, 16, 16, __half, row_major> fb[2];
            for (int i = 0; i < 2; ++i) load_matrix_sync(fa[i], &s[wy + 16 * i][j], 40), load_matrix_sync(fb[i], &q[j][wx + 16 * i], 72);
            for (int i = 0; i < 2; ++i) for (int m = 0; m < 2; ++m) mma_sync(sum[i][m], fa[i], fb[m], sum[i][m]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i) for (int m = 0; m < 2; ++m) store_matrix_sync(&c[(blockIdx.y * 64 + wy + 16 * i) * n + blockIdx.x * 64 + wx + 16 * m], sum[i][m], n, mem_row_major);
}

// ------------------------------------------------------------------------------------------- algebra and graphs

KERNEL w_shortest(int* d, int n, int k) {
    const int x = global_x(), y = global_y();
    d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);
}

KERNEL w_rank_one(float* a, const float* u, const float* v, int n) {
    const int x = global_x(), y = global_y();
    a[y * n + x] += u[y] * v[x];
}

KERNEL w_sparse_rows(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
    const int row = global_x() / 8, lane = threadIdx.x % 8;
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 8) sum += value[k] * x[column[k]];
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset, 8);
    if (lane == 0) y[row] = sum;
}

KERNEL w_follow(const int* next, int* out, int steps) {
    int at = global_x();
    for (int k = 0; k < steps; ++k) at = next[at];
    out[global_x()] = at;
}

KERNEL w_edges(const int* from, const int* to, const float* mass, float* force, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float d = mass[from[i]] - mass[to[i]];
    atomicAdd(&force[from[i]], d);
    atomicAdd(&force[to[i]], -d);
}

// radix-2 steps of 1024 complex numbers in shared memory
KERNEL w_fourier(const float2* in, float2* out) {
    __shared__ float2 s[1024];
    const int t = threadIdx.x;
    for (int k = t; k < 1024; k += 256) s[__brev(k) >> 22] = in[blockIdx.x * 1024 + k];
    for (int size = 2; size <= 1024; size *= 2) {
        __syncthreads();
        for (int k = t; k < 512; k += 256) {
            const int half = size / 2, j = k % half, at = k / half * size + j;
            float sine, cosine;
            __sincosf(-6.2831853f * j / size, &sine, &cosine);
            const float2 a = s[at], b = s[at + half];
            const float2 w = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
            s[at] = make_float2(a.x + w.x, a.y + w.y);
            s[at + half] = make_float2(a.x - w.x, a.y - w.y);
        }
    }
    __syncthreads();
    for (int k = t; k < 1024; k += 256) out[blockIdx.x * 1024 + k] = s[k];
}

// lower triangular systems of 32 unknowns, a warp for each
KERNEL w_solve_small(const float* a, const float* b, float* x) {
    const int system = global_x() / 32, lane = threadIdx.x % 32;
    const float* m = a + system * 1024;
    float v = b[system * 32 + lane];
    for (int k = 0; k < 32; ++k) {
        const float pivot = __shfl_sync(~0u, v, k) / m[k * 32 + k];
        if (lane == k) v = pivot;
        if (lane > k) v -= m[lane * 32 + k] * pivot;
    }
    x[system * 32 + lane] = v;
}

// a transposition of 16-byte elements through shared memory
KERNEL w_turn_wide(const float4* in, float4* out, int n) {
    __shared__ float4 s[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    s[ty][tx] = in[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
    out[(blockIdx.x * 16 + ty) * n + blockIdx.y * 16 + tx] = s[tx][ty];
}

// structures of eight words, of which three are changed
struct Particle { float x, y, z, m, u, v, w, q; };
KERNEL w_particles(Particle* p, float step, int n) {
    const int i = global_x();
    if (i >= n) return;
    p[i].x += step * p[i].u;
    p[i].y += step * p[i].v;
    p[i].z += step * p[i].w;
}

// strings of 64 bytes are compared with one in shared memory
KERNEL w_compare_bytes(const unsigned char* text, int* out, int n) {
    __shared__ unsigned char want[64];
    if (threadIdx.x < 64) want[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int i = global_x();
    if (i + 64 > n) return;
    int same = 0;
    for (int k = 0; k < 64; ++k) same += text[i + k] == want[k];
    out[i] = same;
}

// a grid-stride sum of four arrays, few blocks
KERNEL w_four_arrays(const float* a, const float* b, const float* c, const float* d, float* out, int n) {
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) out[i] = a[i] + b[i] * c[i] + d[i];
}

// double precision sums of products, grid stride, two numbers a load
KERNEL w_dot_pairs(const double2* a, const double2* b, double* out, int n) {
    double sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) {
        const double2 u = a[i], v = b[i];
        sum += u.x * v.x + u.y * v.y;
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
