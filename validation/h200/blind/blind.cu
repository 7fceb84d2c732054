// Kernels of a second blind set: written and fixed, with their launches (gpu-blind/cases.toml), before any prediction.
#include <cuda_fp16.h>

extern "C" __global__ void sgemm_128(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
    __shared__ float sa[8][128], sb[8][128];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row = blockIdx.y * 128, col = blockIdx.x * 128;
    float acc[8][8] = {};
    for (int k0 = 0; k0 < n; k0 += 8) {
        const int ar = threadIdx.x / 2, ak = (threadIdx.x % 2) * 4;
        const float4 va = *reinterpret_cast<const float4 *>(&a[(size_t)(row + ar) * n + k0 + ak]);
        sa[ak + 0][ar] = va.x; sa[ak + 1][ar] = va.y; sa[ak + 2][ar] = va.z; sa[ak + 3][ar] = va.w;
        const int bk = threadIdx.x / 32, bc = (threadIdx.x % 32) * 4;
        *reinterpret_cast<float4 *>(&sb[bk][bc]) = *reinterpret_cast<const float4 *>(&b[(size_t)(k0 + bk) * n + col + bc]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float ra[8], rb[8];
#pragma unroll
            for (int i = 0; i < 8; i++) { ra[i] = sa[k][ty * 8 + i]; rb[i] = sb[k][tx * 8 + i]; }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) c[(size_t)(row + ty * 8 + i) * n + col + tx * 8 + j] = acc[i][j];
}

extern "C" __global__ void softmax_rows(const float *__restrict__ x, float *__restrict__ y, int columns) {
    __shared__ float part[32];
    const float *row = x + (size_t)blockIdx.x * columns;
    float m = -1e30f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) m = fmaxf(m, row[i]);
    for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
    __syncthreads();
    m = part[threadIdx.x % (blockDim.x / 32)];
    for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    float s = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) s += __expf(row[i] - m);
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    s = 0;
    for (int w = 0; w < blockDim.x / 32; w++) s += part[w];
    const float inv = 1.0f / s;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) y[(size_t)blockIdx.x * columns + i] = __expf(row[i] - m) * inv;
}

extern "C" __global__ void layer_norm(const float *__restrict__ x, const float *__restrict__ g, float *__restrict__ y, int columns) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const float4 *row = reinterpret_cast<const float4 *>(x + (size_t)warp * columns);
    float s = 0, q = 0;
    for (int i = lane; i < columns / 4; i += 32) { float4 v = row[i]; s += v.x + v.y + v.z + v.w; q += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
    for (int o = 16; o; o /= 2) { s += __shfl_xor_sync(~0u, s, o); q += __shfl_xor_sync(~0u, q, o); }
    const float mean = s / columns, r = rsqrtf(q / columns - mean * mean + 1e-5f);
    float4 *out = reinterpret_cast<float4 *>(y + (size_t)warp * columns);
    for (int i = lane; i < columns / 4; i += 32) {
        float4 v = row[i], w = reinterpret_cast<const float4 *>(g)[i];
        out[i] = make_float4((v.x - mean) * r * w.x, (v.y - mean) * r * w.y, (v.z - mean) * r * w.z, (v.w - mean) * r * w.w);
    }
}

extern "C" __global__ void sum_atomic(const double *__restrict__ x, double *out, int n) {
    double s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}

extern "C" __global__ void histogram_shared(const unsigned char *__restrict__ x, unsigned *out, int n) {
    __shared__ unsigned bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}

extern "C" __global__ void transpose_tile(const double *__restrict__ in, double *__restrict__ out, int n) {
    __shared__ double t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(size_t)(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void conv5_shared(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int n) {
    __shared__ float t[20][36];
    const int ox = blockIdx.x * 32, oy = blockIdx.y * 16;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 20 * 36; i += 512) {
        int r = i / 36, q = i % 36, gy = min(max(oy + r - 2, 0), n - 1), gx = min(max(ox + q - 2, 0), n - 1);
        t[r][q] = in[(size_t)gy * n + gx];
    }
    __syncthreads();
    float s = 0;
#pragma unroll
    for (int y = 0; y < 5; y++)
#pragma unroll
        for (int x = 0; x < 5; x++) s += w[y * 5 + x] * t[threadIdx.y + y][threadIdx.x + x];
    out[(size_t)(oy + threadIdx.y) * n + ox + threadIdx.x] = s;
}

extern "C" __global__ void spmv_warp(const int *__restrict__ rows, const int *__restrict__ cols, const float *__restrict__ v, const float *__restrict__ x, float *__restrict__ y, int n) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    float s = 0;
    for (int k = row * 64 + lane; k < row * 64 + 64; k += 32) s += v[k] * x[cols[k]];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (lane == 0) y[row] = s + rows[row];
}

extern "C" __global__ void jacobi3(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1) return;
    const size_t plane = (size_t)nx * ny;
    size_t p = (size_t)j * nx + i;
    float below = u[p], here = u[p + plane];
    for (int k = 1; k < nz - 1; k++) {
        p += plane;
        const float above = u[p + plane];
        v[p] = 0.4f * here + 0.1f * (u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] + below + above);
        below = here; here = above;
    }
}

extern "C" __global__ void nbody_tile(const float4 *__restrict__ p, float4 *__restrict__ f, int n) {
    __shared__ float4 t[256];
    const float4 me = p[blockIdx.x * 256 + threadIdx.x];
    float ax = 0, ay = 0, az = 0;
    for (int b = 0; b < n; b += 256) {
        t[threadIdx.x] = p[b + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 256; j++) {
            const float dx = t[j].x - me.x, dy = t[j].y - me.y, dz = t[j].z - me.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f), s = t[j].w * r * r * r;
            ax += dx * s; ay += dy * s; az += dz * s;
        }
        __syncthreads();
    }
    f[blockIdx.x * 256 + threadIdx.x] = make_float4(ax, ay, az, 0);
}

extern "C" __global__ void mandelbrot(int *__restrict__ out, int n, int most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    const float cx = -2.0f + 3.0f * i / n, cy = -1.5f + 3.0f * j / n;
    float x = 0, y = 0;
    int k = 0;
    while (k < most && x * x + y * y < 4.0f) { const float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; k++; }
    out[j * n + i] = k;
}

extern "C" __global__ void hash_rounds(const unsigned *__restrict__ seed, unsigned *__restrict__ out, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = seed[i], y = i;
    for (int r = 0; r < rounds; r++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; y = y * 1664525u + x; x += __funnelshift_l(y, x, 7); }
    out[i] = x ^ y;
}

extern "C" __global__ void rgb_to_gray(const uchar4 *__restrict__ in, unsigned char *__restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { const uchar4 c = in[i]; out[i] = (unsigned char)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z); }
}

extern "C" __global__ void axpy_half2(__half2 *__restrict__ y, const __half2 *__restrict__ x, int n) {
    const __half2 a = __float2half2_rn(0.5f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = __hfma2(a, x[i], y[i]);
}

extern "C" __global__ void scan_block(const int *__restrict__ in, int *__restrict__ out) {
    __shared__ int sums[32];
    const int i = blockIdx.x * 1024 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int v = in[i];
    for (int o = 1; o < 32; o *= 2) { const int u = __shfl_up_sync(~0u, v, o); if (lane >= o) v += u; }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = sums[lane];
        for (int o = 1; o < 32; o *= 2) { const int u = __shfl_up_sync(~0u, s, o); if (lane >= o) s += u; }
        sums[lane] = s;
    }
    __syncthreads();
    out[i] = v + (warp ? sums[warp - 1] : 0);
}

extern "C" __global__ void upper_solve(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x, int n) {
    // one small triangular system for each thread
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    double y[8];
    for (int i = 7; i >= 0; i--) {
        double t = b[i * n + s];
        for (int j = i + 1; j < 8; j++) t -= a[(i * 8 + j) * n + s] * y[j];
        y[i] = t / a[(i * 8 + i) * n + s];
    }
    for (int i = 0; i < 8; i++) x[i * n + s] = y[i];
}

extern "C" __global__ void gather_sum(const int *__restrict__ index, const float *__restrict__ table, float *__restrict__ out, int per) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float s = 0;
    for (int k = 0; k < per; k++) s += table[index[k * all + i]];
    out[i] = s;
}
