// Floating-point kernels: where IEEE 754 defines the result, complete execution is compared bit for bit with the GPU.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using u32 = std::uint32_t;
#define ME (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void saxpy(const float* x, float* y, float a, int n) {
    const int i = ME;
    if (i < n) y[i] = a * x[i] + y[i];
}

// Operations with defined rounding, on all kinds of numbers.
extern "C" __global__ void ieee32(const float* a, const float* b, const float* c, float* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const float x = a[i], y = b[i], z = c[i];
    float* o = out + 24 * i;
    o[0] = x + y;
    o[1] = x * y;
    o[2] = fmaf(x, y, z);
    o[3] = x / y;
    o[4] = sqrtf(x);
    o[5] = __frcp_rn(x);
    o[6] = fminf(x, y);
    o[7] = fmaxf(x, y);
    o[8] = __fadd_rz(x, y);
    o[9] = __fmul_ru(x, y);
    o[10] = __fmaf_rd(x, y, z);
    o[11] = __fsqrt_rz(x);
    o[12] = __fdiv_ru(x, y);
    o[13] = truncf(x);
    o[14] = floorf(x);
    o[15] = ceilf(x);
    o[16] = rintf(x);
    o[17] = roundf(x);
    o[18] = fabsf(x) - (-y);
    o[19] = __saturatef(x * y);
    o[20] = x < y ? 1.f : x > y ? 2.f : x == y ? 3.f : x != x ? 4.f : 5.f;
    o[21] = __frsqrt_rn(x);
    o[22] = fmodf(x, y);
    o[23] = copysignf(x, y) + fdimf(x, z);
}

extern "C" __global__ void ieee64(const double* a, const double* b, const double* c, double* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const double x = a[i], y = b[i], z = c[i];
    double* o = out + 16 * i;
    o[0] = x + y;
    o[1] = x * y;
    o[2] = fma(x, y, z);
    o[3] = x / y;
    o[4] = sqrt(x);
    o[5] = fmin(x, y);
    o[6] = fmax(x, y);
    o[7] = trunc(x);
    o[8] = floor(y);
    o[9] = rint(x);
    o[10] = (float)x;
    o[11] = x < y ? 1 : x >= y ? 2 : 3;
    o[12] = __dadd_ru(x, y);
    o[13] = __dmul_rz(x, y);
    o[14] = __drcp_rn(x);
    o[15] = fabs(x) - y;
}

extern "C" __global__ void conversions(const float* a, const double* b, const long long* c, long long* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const float x = a[i];
    const double y = b[i];
    const long long z = c[i];
    long long* o = out + 24 * i;
    o[0] = (int)x;
    o[1] = (unsigned)x;
    o[2] = (long long)x;
    o[3] = (unsigned long long)x;
    o[4] = (int)y;
    o[5] = (unsigned)y;
    o[6] = (long long)y;
    o[7] = (unsigned long long)y;
    o[8] = __float2int_rn(x);
    o[9] = __float2int_ru(x);
    o[10] = __double2int_rd(y);
    o[11] = __float_as_uint((float)(int)z);
    o[12] = __float_as_uint((float)(unsigned)z);
    o[13] = __float_as_uint((float)z);
    o[14] = __float_as_uint((float)(unsigned long long)z);
    o[15] = __double_as_longlong((double)z);
    o[16] = __double_as_longlong((double)(unsigned long long)z);
    o[17] = __double_as_longlong((double)(int)z);
    o[18] = __float_as_uint(__uint2float_rz((unsigned)z));
    o[19] = __half_as_ushort(__float2half_rn(x));
    o[20] = __bfloat16_as_ushort(__float2bfloat16(x));
    o[21] = __float_as_uint((float)(signed char)z) + (unsigned char)x;
    o[22] = (short)x;
    o[23] = __float_as_uint((float)y);
}

extern "C" __global__ void half2s(const __half2* a, const __half2* b, const __half2* c, __half2* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const __half2 x = a[i], y = b[i], z = c[i];
    __half2* o = out + 12 * i;
    o[0] = __hadd2(x, y);
    o[1] = __hmul2(x, y);
    o[2] = __hfma2(x, y, z);
    o[3] = __hsub2(x, __lowhigh2highlow(y));
    o[4] = __hmax2(x, y);
    o[5] = __hmin2(x, z);
    o[6] = __hgt2(x, y);
    o[7] = __floats2half2_rn(__low2float(x) + 1.f, __high2float(y));
    o[8] = __hle(__low2half(x), __high2half(y)) ? x : y;
    o[9] = __habs2(__hneg2(x));
    o[10] = __hfma2_sat(x, y, z);
    o[11] = __hadd2(x, __float2half2_rn(0.5f));
}

extern "C" __global__ void bfloats(const __nv_bfloat162* a, const __nv_bfloat162* b, __nv_bfloat162* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const __nv_bfloat162 x = a[i], y = b[i];
    out[4 * i] = __hadd2(x, y);
    out[4 * i + 1] = __hmul2(x, y);
    out[4 * i + 2] = __hfma2(x, y, x);
    out[4 * i + 3] = __floats2bfloat162_rn(__low2float(x) * 3.f, __high2float(y));
}

// Library functions: their code is in the kernel, MUFU is the hardware's.
extern "C" __global__ void library32(const float* a, float* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const float x = a[i];
    float* o = out + 16 * i;
    o[0] = sinf(x);
    o[1] = cosf(x);
    o[2] = expf(x);
    o[3] = logf(fabsf(x));
    o[4] = powf(fabsf(x), 1.7f);
    o[5] = tanhf(x);
    o[6] = erff(x);
    o[7] = cbrtf(x);
    o[8] = __sinf(x);
    o[9] = __expf(x);
    o[10] = __logf(fabsf(x));
    o[11] = rsqrtf(fabsf(x));
    o[12] = atan2f(x, 1.5f);
    o[13] = exp2f(x);
    o[14] = __fdividef(1.f, x);
    o[15] = hypotf(x, 2.f);
}

extern "C" __global__ void library64(const double* a, double* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const double x = a[i];
    double* o = out + 8 * i;
    o[0] = sin(x);
    o[1] = cos(x);
    o[2] = exp(x);
    o[3] = log(fabs(x));
    o[4] = pow(fabs(x), 1.7);
    o[5] = tanh(x);
    o[6] = rsqrt(fabs(x));
    o[7] = cbrt(x);
}

// Large arguments: the slow path of the range reduction uses local memory.
extern "C" __global__ void large_angles(const float* a, float* out, int n) {
    const int i = ME;
    if (i < n) out[i] = sinf(a[i] * 1e7f);
}

extern "C" __global__ void gemm_shared(const float* a, const float* b, float* c, int n) {
    __shared__ float x[16][16], y[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        x[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += x[threadIdx.y][i] * y[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void stencil(const float* in, float* out, int nx, int ny) {
    const int x = ME, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    const int at = y * nx + x;
    out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
}

extern "C" __global__ void nbody(const float4* bodies, float4* out, int n) {
    __shared__ float4 tile[64];
    const float4 me = bodies[ME];
    float3 force = {0, 0, 0};
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k) {
            const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float scale = tile[k].w * inverse * inverse * inverse;
            force.x += dx * scale;
            force.y += dy * scale;
            force.z += dz * scale;
        }
        __syncthreads();
    }
    out[ME] = make_float4(force.x, force.y, force.z, me.w);
}

extern "C" __global__ void spmv(const int* rows, const int* columns, const double* values, const double* x, double* y, int n) {
    const int row = ME / 32, lane = ME % 32;
    if (row >= n) return;
    double sum = 0;
    for (int k = rows[row] + lane; k < rows[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(~0u, sum, by);
    if (lane == 0) y[row] = sum;
}

extern "C" __global__ void float_atomics(const float* in, float* sums, double* wide_sums) {
    __shared__ float own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    atomicAdd(&own, in[ME]);
    atomicAdd(&wide_sums[0], (double)in[ME]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sums, own);
}

extern "C" __global__ void mma_half(const u32* a, const u32* b, float* d, u32* h) {
    const int lane = threadIdx.x;
    float c[4] = {0, 1, 2, 3};
    u32 x[4], y[2], s[2] = {0, 0};
    for (int k = 0; k < 4; ++k) x[k] = a[4 * lane + k];
    for (int k = 0; k < 2; ++k) y[k] = b[2 * lane + k];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(s[0]), "+r"(s[1])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int k = 0; k < 4; ++k) d[4 * lane + k] = c[k];
    for (int k = 0; k < 2; ++k) h[2 * lane + k] = s[k];
}

extern "C" __global__ void mma_others(const u32* a, const u32* b, const double* da, const double* db, float* d, double* e) {
    const int lane = threadIdx.x;
    float c[4] = {0, 0, 0, 0}, t[4] = {1, 1, 1, 1};
    u32 x[4], y[2];
    for (int k = 0; k < 4; ++k) x[k] = a[4 * lane + k];
    for (int k = 0; k < 2; ++k) y[k] = b[2 * lane + k];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(t[0]), "+f"(t[1]), "+f"(t[2]), "+f"(t[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    double f[2] = {0.5, 1.5};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(f[0]), "+d"(f[1])
                 : "d"(da[lane]), "d"(db[lane]));
    for (int k = 0; k < 4; ++k) d[8 * lane + k] = c[k], d[8 * lane + 4 + k] = t[k];
    for (int k = 0; k < 2; ++k) e[2 * lane + k] = f[k];
}

// Monte Carlo: integers, floats and a warp reduction together.
extern "C" __global__ void monte_carlo(u32* hits, int rounds) {
    u32 state = ME * 2654435761u + 12345u, inside = 0;
    for (int k = 0; k < rounds; ++k) {
        state = state * 1664525u + 1013904223u;
        const float x = (state >> 8) * (1.f / 16777216.f);
        state = state * 1664525u + 1013904223u;
        const float y = (state >> 8) * (1.f / 16777216.f);
        inside += x * x + y * y < 1.f;
    }
    inside = __reduce_add_sync(~0u, inside);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, inside);
}

extern "C" __global__ void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, int n) {
    for (int i = ME; i < n; i += gridDim.x * blockDim.x) {
        const float s = price[i], x = strike[i], t = years[i], r = 0.02f, v = 0.3f, root = sqrtf(t);
        const float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        const float n1 = normcdff(d1), n2 = normcdff(d2), discounted = x * expf(-r * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1 - n2) - s * (1 - n1);
    }
}
