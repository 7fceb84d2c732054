// Kernels that only serve to choose and test mechanisms of the model; none of them is in the reported sets.
#include "../kernels/common.cuh"

// ------------------------------------------------------------------------------------------- reuse in L1 and L2

// C = A B, a thread for each result, blocks of two dimensions
KERNEL t_product_square(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = global_y();
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// C = A Aᵀ: both operands along rows, so that lanes lie a row apart
KERNEL t_product_rows(const float* a, float* c, int n) {
    const int x = global_x(), y = global_y();
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * a[x * n + k];
    c[y * n + x] = sum;
}

// y = A x, a thread for each row: lanes a row apart
KERNEL t_rows_thread(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += a[row * columns + k] * x[k];
    y[row] = sum;
}

// y = Aᵀ x, a thread for each column
KERNEL t_columns_thread(const float* a, const float* x, float* y, int rows, int columns) {
    const int column = global_x();
    float sum = 0;
    for (int k = 0; k < rows; ++k) sum += a[k * columns + column] * x[k];
    y[column] = sum;
}

// 27 neighbours in three dimensions
KERNEL t_cube27(const float* in, float* out, int n) {
    const int x = global_x(), y = global_y(), z = global_z();
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    float sum = 0;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) sum += in[((z + dz) * n + y + dy) * n + x + dx];
    out[(z * n + y) * n + x] = sum * (1.0f / 27);
}

// a star of radius 4 along one axis, marching through the planes
KERNEL t_march(const float* in, float* out, int n) {
    const int x = global_x(), y = global_y();
    if (x < 4 || y < 4 || x >= n - 4 || y >= n - 4) return;
    float w[9];
    for (int k = 0; k < 8; ++k) w[k] = in[(k * n + y) * n + x];
    for (int z = 4; z < n - 4; ++z) {
        w[8] = in[((z + 4) * n + y) * n + x];
        float sum = w[4];
        for (int k = 1; k <= 4; ++k) sum += in[(z * n + y) * n + x - k] + in[(z * n + y) * n + x + k] + in[(z * n + y - k) * n + x] + in[(z * n + y + k) * n + x];
        for (int k = 0; k < 9; ++k) sum += w[k] * 0.1f;
        out[(z * n + y) * n + x] = sum;
        for (int k = 0; k < 8; ++k) w[k] = w[k + 1];
    }
}

// an image filter of 7 by 7 with weights in constant memory
__constant__ float t_weights[49] = {1, 2, 3};
KERNEL t_filter7(const float* in, float* out, int width, int height) {
    const int x = global_x(), y = global_y();
    if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return;
    float sum = 0;
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j) sum += t_weights[i * 7 + j] * in[(y + i - 3) * width + x + j - 3];
    out[y * width + x] = sum;
}

// every thread sums a row of its own of 64 numbers (lanes 256 bytes apart)
KERNEL t_own_row(const float* in, float* out, int rows) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < 64; ++k) sum += in[row * 64 + k];
    out[row] = sum;
}

// the same with loads of 16 bytes
KERNEL t_own_row4(const float4* in, float* out, int rows) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < 16; ++k) {
        const float4 v = in[row * 16 + k];
        sum += v.x + v.y + v.z + v.w;
    }
    out[row] = sum;
}

// a table that is looked up again and again
KERNEL t_lookup(const int* index, const float* table, float* out, int mask, int rounds) {
    const int i = global_x();
    int at = index[i];
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += table[at & mask];
        at = at * 1664525 + 1013904223;
    }
    out[i] = sum;
}

// columns of a matrix are scaled: whole lines of stores and loads, rows far apart
KERNEL t_scale_columns(float* a, const float* s, int n) {
    const int x = global_x();
    for (int y = blockIdx.y; y < n; y += gridDim.y) a[y * n + x] *= s[x];
}

// a scatter: stores of single words anywhere
KERNEL t_scatter(const int* index, const float* in, float* out, int n) {
    const int i = global_x();
    if (i < n) out[index[i]] = in[i];
}

// C = alpha A + B with A transposed on the way by reading columns
KERNEL t_add_transposed(const float* a, const float* b, float* c, int n) {
    const int x = global_x(), y = global_y();
    c[y * n + x] = a[x * n + y] + b[y * n + x];
}

// three reads of one L2-sized array with different offsets
KERNEL t_far_neighbours(const float* in, float* out, int n, int far) {
    const int i = global_x();
    if (i >= n) return;
    out[i] = in[i] + in[(i + far) % n] + in[(i + 2 * far) % n];
}

// ------------------------------------------------------------------------------------------- issue

// an integer hash in a loop
KERNEL t_hash(unsigned* out, int rounds) {
    unsigned h = global_x();
    for (int k = 0; k < rounds; ++k) {
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        h += k;
    }
    out[global_x()] = h;
}

// rotations and additions, as in a stream cipher
KERNEL t_rotate(unsigned* out, int rounds) {
    unsigned a = global_x(), b = a * 3, c = a ^ 5, d = a + 7;
    for (int k = 0; k < rounds; ++k) {
        a += b; d ^= a; d = __funnelshift_l(d, d, 16);
        c += d; b ^= c; b = __funnelshift_l(b, b, 12);
        a += b; d ^= a; d = __funnelshift_l(d, d, 8);
        c += d; b ^= c; b = __funnelshift_l(b, b, 7);
    }
    out[global_x()] = a ^ b ^ c ^ d;
}

// divisions of integers by a variable
KERNEL t_divide(const int* in, int* out, int by, int rounds) {
    const int i = global_x();
    int v = in[i];
    for (int k = 0; k < rounds; ++k) v = v / (by + k) + 12345678;
    out[i] = v;
}

// sines, logarithms and powers of the library
KERNEL t_library(const float* in, float* out, int rounds) {
    const int i = global_x();
    float v = in[i];
    for (int k = 0; k < rounds; ++k) v = sinf(v) + logf(1.5f + v * v) + powf(1.0f + v * v, 0.3f);
    out[i] = v;
}

// a polynomial in double precision with a division
KERNEL t_double_divide(const double* in, double* out, int rounds) {
    const int i = global_x();
    double v = in[i];
    for (int k = 0; k < rounds; ++k) v = (1.0 + v * (0.5 + v * (0.25 + v))) / (1.5 + v * v);
    out[i] = v;
}

// conversions between types
KERNEL t_convert(const float* in, float* out, int rounds) {
    const int i = global_x();
    float v = in[i];
    for (int k = 0; k < rounds; ++k) {
        const int whole = static_cast<int>(v * 100.0f);
        const double fine = static_cast<double>(v) + whole;
        v = static_cast<float>(fine) * 0.5f + static_cast<float>(whole & 255);
    }
    out[i] = v;
}

// warps that branch by lane: a search in a sorted table of the constant kind
KERNEL t_search(const int* table, const int* keys, int* out, int n, int count) {
    const int i = global_x();
    if (i >= count) return;
    const int key = keys[i];
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (table[middle] < key) low = middle + 1; else high = middle;
    }
    out[i] = low;
}

// ------------------------------------------------------------------------------------------- shared memory and the rest

// a bitonic sort of 1024 keys in shared memory
KERNEL t_bitonic(int* data) {
    __shared__ int s[1024];
    const int t = threadIdx.x;
    s[t] = data[blockIdx.x * 1024 + t];
    s[t + 512] = data[blockIdx.x * 1024 + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const int at = 2 * t - (t & (stride - 1));
            const int a = s[at], b = s[at + stride];
            const bool up = (at & size) == 0;
            s[at] = up ? min(a, b) : max(a, b);
            s[at + stride] = up ? max(a, b) : min(a, b);
        }
    __syncthreads();
    data[blockIdx.x * 1024 + t] = s[t];
    data[blockIdx.x * 1024 + t + 512] = s[t + 512];
}

// sums of rows by shuffles, a warp for each row of 1024
KERNEL t_row_sums(const float* in, float* out, int columns) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < columns; k += 32) sum += in[row * columns + k];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) out[row] = sum;
}

// a block for each row: mean and variance through shared memory, then written normalised
KERNEL t_normalise(const float* in, float* out, int columns) {
    __shared__ float s[256], q[256];
    const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
    float sum = 0, square = 0;
    for (int k = threadIdx.x; k < columns; k += 256) sum += row[k], square += row[k] * row[k];
    s[threadIdx.x] = sum; q[threadIdx.x] = square;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half], q[threadIdx.x] += q[threadIdx.x + half];
    }
    __syncthreads();
    const float mean = s[0] / columns, scale = rsqrtf(q[0] / columns - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < columns; k += 256) out[static_cast<size_t>(blockIdx.x) * columns + k] = (row[k] - mean) * scale;
}

// shared memory with conflicts of a column
KERNEL t_shared_columns(float* out, int rounds, int stride) {
    extern __shared__ float s[];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) s[k] = k;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < rounds; ++k) sum += s[(threadIdx.x * stride + k) & 8191];
    out[global_x()] = sum;
}

// 4 by 4 products, a thread for each matrix
KERNEL t_small_products(const float4* a, const float4* b, float4* c) {
    const int i = global_x();
    float4 m[4], n[4];
    for (int k = 0; k < 4; ++k) m[k] = a[4 * i + k], n[k] = b[4 * i + k];
    for (int k = 0; k < 4; ++k) {
        float4 r;
        r.x = m[k].x * n[0].x + m[k].y * n[1].x + m[k].z * n[2].x + m[k].w * n[3].x;
        r.y = m[k].x * n[0].y + m[k].y * n[1].y + m[k].z * n[2].y + m[k].w * n[3].y;
        r.z = m[k].x * n[0].z + m[k].y * n[1].z + m[k].z * n[2].z + m[k].w * n[3].z;
        r.w = m[k].x * n[0].w + m[k].y * n[1].w + m[k].z * n[2].w + m[k].w * n[3].w;
        c[4 * i + k] = r;
    }
}

// all pairs of a block of points through shared memory
KERNEL t_pairs(const float4* p, float4* out, int n) {
    __shared__ float4 s[128];
    const int i = global_x();
    const float4 me = p[i];
    float x = 0, y = 0, z = 0;
    for (int base = 0; base < n; base += 128) {
        __syncthreads();
        s[threadIdx.x] = p[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k) {
            const float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = s[k].w * inverse * inverse * inverse;
            x += dx * f; y += dy * f; z += dz * f;
        }
    }
    out[i] = make_float4(x, y, z, 0);
}

// a row of dynamic programming in shared memory, 64 rows a launch
KERNEL t_rows_dp(const int* wall, int* out, int columns, int rows) {
    __shared__ int now[256], next[256];
    const int t = threadIdx.x, x = min(columns - 1, max(0, static_cast<int>(blockIdx.x) * 192 + t - 32));
    now[t] = wall[x];
    __syncthreads();
    for (int r = 1; r < rows; ++r) {
        const int left = now[max(t - 1, 0)], here = now[t], right = now[min(t + 1, 255)];
        next[t] = min(min(left, here), right) + wall[r * columns + x];
        __syncthreads();
        now[t] = next[t];
        __syncthreads();
    }
    if (t >= 32 && t < 224) out[x] = now[t];
}

// counts into 256 bins of a block, added up at the end
KERNEL t_bins(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// rows of a sparse matrix in ELL form, columns within a band
KERNEL t_ell(const int* column, const float* value, const float* x, float* y, int rows, int width) {
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[column[k * rows + row]];
    y[row] = sum;
}

// a product with tiles of 32 by 32 and a register tile of 4 by 2
KERNEL t_product_tiles(const float* a, const float* b, float* c, int n) {
    __shared__ float left[32][33], right[32][33];
    const int tx = threadIdx.x, ty = threadIdx.y;  // 16 by 8
    float sum[4][2] = {};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int i = ty; i < 32; i += 8)
            for (int j = tx; j < 32; j += 16) {
                left[i][j] = a[(blockIdx.y * 32 + i) * n + k0 + j];
                right[i][j] = b[(k0 + i) * n + blockIdx.x * 32 + j];
            }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            const float u = right[k][tx], v = right[k][tx + 16];
            for (int i = 0; i < 4; ++i) {
                const float w = left[ty + 8 * i][k];
                sum[i][0] += w * u;
                sum[i][1] += w * v;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        c[(blockIdx.y * 32 + ty + 8 * i) * n + blockIdx.x * 32 + tx] = sum[i][0];
        c[(blockIdx.y * 32 + ty + 8 * i) * n + blockIdx.x * 32 + tx + 16] = sum[i][1];
    }
}
