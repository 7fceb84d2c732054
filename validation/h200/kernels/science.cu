// Kernels of applications: particles, options, fractals, linear algebra, and rows of a neural network.
#include "common.cuh"

__device__ inline void attract(float3& force, float4 me, float4 other) {
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
    const float scale = other.w * inverse * inverse * inverse;
    force.x += dx * scale, force.y += dy * scale, force.z += dz * scale;
}

KERNEL nbody_shared(const float4* body, float4* force, int n) {  // blocks of 256
    __shared__ float4 part[256];
    const int i = global_x();
    const float4 me = body[i];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += 256) {
        part[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 256; ++k) attract(sum, me, part[k]);
        __syncthreads();
    }
    force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

KERNEL nbody_global(const float4* body, float4* force, int n) {
    const int i = global_x();
    const float4 me = body[i];
    float3 sum = {0, 0, 0};
    for (int k = 0; k < n; ++k) attract(sum, me, body[k]);
    force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

__device__ inline float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

KERNEL black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, float rate,
                     float volatility, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float s = price[i], k = strike[i], t = years[i], root = volatility * sqrtf(t);
    const float d1 = (__logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / root, d2 = d1 - root;
    const float discounted = k * __expf(-rate * t), c = s * normal(d1) - discounted * normal(d2);
    call[i] = c;
    put[i] = c + discounted - s;
}

KERNEL mandelbrot(int* counts, int width, int height, int most) {
    const int x = global_x(), y = global_y();
    if (x >= width || y >= height) return;
    const float cr = 3.0f * x / width - 2.0f, ci = 2.0f * y / height - 1.0f;
    float r = 0, i = 0;
    int k = 0;
    for (; k < most && r * r + i * i < 4; ++k) {
        const float next = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = next;
    }
    counts[y * width + x] = k;
}

// One step of LU without pivoting: the trailing matrix less the product of column and row k.
KERNEL lu_update(float* a, int n, int k) {
    const int x = global_x() + k + 1, y = global_y() + k + 1;
    if (x < n && y < n) a[y * n + x] -= a[y * n + k] * a[k * n + x];
}

// Forward substitution within a block of 128 by 128, a thread for each right-hand side.
KERNEL solve_lower(const float* l, float* b, int columns) {
    __shared__ float row[128];
    const int column = global_x();
    float x[16];
    for (int part = 0; part < 128; part += 16) {
        for (int r = 0; r < 16; ++r) x[r] = b[(part + r) * columns + column];
        for (int k = 0; k < part; ++k) {
            const float known = b[k * columns + column];
#pragma unroll
            for (int r = 0; r < 16; ++r) x[r] -= l[(part + r) * 128 + k] * known;
        }
#pragma unroll
        for (int r = 0; r < 16; ++r) {
            __syncthreads();
            if (threadIdx.x < 128) row[threadIdx.x] = l[(part + r) * 128 + threadIdx.x];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < r; ++k) x[r] -= row[part + k] * x[k];
            b[(part + r) * columns + column] = x[r];
        }
    }
}

__device__ inline float block_all(float value, bool largest) {  // over a block of 256
    __shared__ float part[8];
    for (int d = 16; d > 0; d /= 2) {
        const float other = __shfl_xor_sync(~0u, value, d);
        value = largest ? fmaxf(value, other) : value + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    value = part[0];
    for (int w = 1; w < 8; ++w) value = largest ? fmaxf(value, part[w]) : value + part[w];
    return value;
}

KERNEL softmax(const float* a, float* b, int columns) {  // a block of 256 for each row
    const float* row = a + static_cast<long long>(blockIdx.x) * columns;
    float most = -3e38f, sum = 0;
    for (int k = threadIdx.x; k < columns; k += 256) most = fmaxf(most, row[k]);
    most = block_all(most, true);
    for (int k = threadIdx.x; k < columns; k += 256) sum += __expf(row[k] - most);
    sum = 1 / block_all(sum, false);
    for (int k = threadIdx.x; k < columns; k += 256)
        b[static_cast<long long>(blockIdx.x) * columns + k] = __expf(row[k] - most) * sum;
}

KERNEL layernorm(const float* a, const float* scale, const float* shift, float* b, int columns) {
    const float* row = a + static_cast<long long>(blockIdx.x) * columns;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < columns; k += 256) sum += row[k], squares += row[k] * row[k];
    const float mean = block_all(sum, false) / columns;
    const float inverse = rsqrtf(block_all(squares, false) / columns - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < columns; k += 256)
        b[static_cast<long long>(blockIdx.x) * columns + k] = (row[k] - mean) * inverse * scale[k] + shift[k];
}

KERNEL gelu(const float* a, float* b, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float x = a[i];
    b[i] = 0.5f * x * (1 + tanhf(0.7978846f * (x + 0.044715f * x * x * x)));
}

KERNEL conv1d(const float* a, const float* weight, float* b, int n) {  // 17 weights, blocks of 256
    __shared__ float part[256 + 16];
    const int i = global_x();
    for (int k = threadIdx.x; k < 256 + 16; k += 256) part[k] = a[blockIdx.x * 256 + k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 17; ++k) sum += weight[k] * part[threadIdx.x + k];
    if (i < n) b[i] = sum;
}

KERNEL conv2d_global(const float* a, const float* weight, float* b, int nx, int ny) {  // 5 by 5
    const int x = global_x(), y = global_y();
    if (x >= nx - 4 || y >= ny - 4) return;
    float sum = 0;
    for (int v = 0; v < 5; ++v)
        for (int u = 0; u < 5; ++u) sum += weight[5 * v + u] * a[(y + v) * nx + x + u];
    b[y * nx + x] = sum;
}

KERNEL conv2d_shared(const float* a, const float* weight, float* b, int nx, int ny) {  // blocks of 16 by 16
    __shared__ float part[20][20], w[25];
    const int thread = threadIdx.y * 16 + threadIdx.x, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
    if (thread < 25) w[thread] = weight[thread];
    for (int e = thread; e < 400; e += 256) {
        const int x = x0 + e % 20, y = y0 + e / 20;
        part[e / 20][e % 20] = x < nx && y < ny ? a[y * nx + x] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int v = 0; v < 5; ++v)
        for (int u = 0; u < 5; ++u) sum += w[5 * v + u] * part[threadIdx.y + v][threadIdx.x + u];
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x < nx - 4 && y < ny - 4) b[y * nx + x] = sum;
}
