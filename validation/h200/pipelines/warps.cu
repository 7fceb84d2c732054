// Products of warps (mma.sync) from shared memory: swizzled tiles, bytes, TF32 without ldmatrix, split sums, fused results.
#include "../tensor/tensor.cuh"

// 128 by 128 results, 64 columns at a time, rows of 128 bytes with swizzled pieces of 16, three under way.
KERNEL __launch_bounds__(256, 1) p_swizzled(const __half* a, const __half* b, __half* c, int n) {
    extern __shared__ __align__(128) __half s[];
    const int t = threadIdx.x, l = t % 32, w = t / 32, y = w % 2 * 64, x = w / 2 * 32;
    float sum[4][4][4] = {};
    const auto piece = [&](int stage, int right, int row, int q) { return at(s + ((stage * 2 + right) * 128 + row) * 64 + (q ^ row % 8) * 8); };
    const auto fetch = [&](int k) {
        for (int e = t; k < n && e < 2048; e += 256) {
            const int right = e / 1024, r = e / 8 % 128, q = e % 8;
            copy(piece(k / 64 % 3, right, r, q), (right ? b + (blockIdx.x * 128 + r) * n : a + (blockIdx.y * 128 + r) * n) + k + q * 8);
        }
        commit();
    };
    fetch(0);
    fetch(64);
    for (int k = 0; k < n; k += 64) {
        arrived<1>();
        __syncthreads();
        fetch(k + 128);
        const int stage = k / 64 % 3;
        for (int j = 0; j < 4; ++j) {
            U u[4][4], v[2][4];
            for (int i = 0; i < 4; ++i) load4(u[i], piece(stage, 0, y + 16 * i + l % 16, j * 2 + l / 16));
            for (int i = 0; i < 2; ++i) load4(v[i], piece(stage, 1, x + 16 * i + l % 8 + l / 16 * 8, j * 2 + l / 8 % 2));
            for (int i = 0; i < 4; ++i)
                for (int q = 0; q < 4; ++q) mma(sum[i][q], u[i], v[q / 2][q % 2 * 2], v[q / 2][q % 2 * 2 + 1]);
        }
    }
    for (int i = 0; i < 4; ++i)
        for (int q = 0; q < 4; ++q)
            for (int h = 0; h < 2; ++h)
                *reinterpret_cast<__half2*>(c + (blockIdx.y * 128 + y + 16 * i + l / 4 + h * 8) * n + blockIdx.x * 128 + x + q * 8 + l % 4 * 2) =
                    __floats2half2_rn(fmaxf(sum[i][q][h * 2], 0), fmaxf(sum[i][q][h * 2 + 1], 0));
}

// Bytes: 64 by 64 results of four warps, 64 columns at a time, two under way.
KERNEL p_bytes(const signed char* a, const signed char* b, int* c, int n) {
    __shared__ __align__(16) signed char s[2][2][64][80];
    const int t = threadIdx.x, l = t % 32, w = t / 32, y = w % 2 * 32, x = w / 2 * 32;
    int sum[2][4][4] = {};
    const auto fetch = [&](int k) {
        for (int e = t; k < n && e < 512; e += 128) {
            const int right = e / 256, r = e / 4 % 64, q = e % 4 * 16;
            copy(at(&s[k / 64 % 2][right][r][q]), (right ? b + (blockIdx.x * 64 + r) * n : a + (blockIdx.y * 64 + r) * n) + k + q);
        }
        commit();
    };
    fetch(0);
    for (int k = 0; k < n; k += 64) {
        arrived<0>();
        __syncthreads();
        fetch(k + 64);
        auto& now = s[k / 64 % 2];
        for (int j = 0; j < 64; j += 32) {
            U u[2][4], v[2][4];
            for (int i = 0; i < 2; ++i) load4(u[i], at(&now[0][y + 16 * i + l % 16][j + l / 16 * 16]));
            for (int i = 0; i < 2; ++i) load4(v[i], at(&now[1][x + 16 * i + l % 8 + l / 16 * 8][j + l / 8 % 2 * 16]));
            for (int i = 0; i < 2; ++i)
                for (int q = 0; q < 4; ++q)
                    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                                 : "+r"(sum[i][q][0]), "+r"(sum[i][q][1]), "+r"(sum[i][q][2]), "+r"(sum[i][q][3])
                                 : "r"(u[i][0]), "r"(u[i][1]), "r"(u[i][2]), "r"(u[i][3]), "r"(v[q / 2][q % 2 * 2]), "r"(v[q / 2][q % 2 * 2 + 1]));
        }
    }
    for (int i = 0; i < 2; ++i)
        for (int q = 0; q < 16; ++q)
            c[(blockIdx.y * 64 + y + 16 * i + l / 4 + q % 4 / 2 * 8) * n + blockIdx.x * 64 + x + q / 4 * 8 + l % 4 * 2 + q % 2] = sum[i][q / 4][q % 4];
}

// TF32: operands by plain loads from shared memory, filled through registers.
KERNEL p_singles(const float* a, const float* b, float* c, int n) {
    __shared__ float s[2][64][36];
    const int t = threadIdx.x, l = t % 32, w = t / 32, y = w % 2 * 32, x = w / 2 * 32;
    float sum[2][4][4] = {};
    for (int k = 0; k < n; k += 32) {
        for (int e = t; e < 1024; e += 128) {
            const int right = e / 512, r = e / 8 % 64, q = e % 8 * 4;
            *reinterpret_cast<float4*>(&s[right][r][q]) = *reinterpret_cast<const float4*>((right ? b + (blockIdx.x * 64 + r) * n : a + (blockIdx.y * 64 + r) * n) + k + q);
        }
        __syncthreads();
        for (int j = 0; j < 32; j += 8)
            for (int i = 0; i < 2; ++i) {
                U u[4];
                for (int q = 0; q < 4; ++q) u[q] = __float_as_uint(s[0][y + 16 * i + l / 4 + q % 2 * 8][j + l % 4 + q / 2 * 4]);
                for (int q = 0; q < 4; ++q)
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                                 : "+f"(sum[i][q][0]), "+f"(sum[i][q][1]), "+f"(sum[i][q][2]), "+f"(sum[i][q][3])
                                 : "r"(u[0]), "r"(u[1]), "r"(u[2]), "r"(u[3]), "r"(__float_as_uint(s[1][x + 8 * q + l / 4][j + l % 4])),
                                   "r"(__float_as_uint(s[1][x + 8 * q + l / 4][j + l % 4 + 4])));
            }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int q = 0; q < 16; ++q)
            c[(blockIdx.y * 64 + y + 16 * i + l / 4 + q % 4 / 2 * 8) * n + blockIdx.x * 64 + x + q / 4 * 8 + l % 4 * 2 + q % 2] = sum[i][q / 4][q % 4];
}

// A narrow product: 16 rows, the sum split over blocks and added by atomics.
KERNEL p_split_sum(const __half* a, const __half* b, float* c, int n, int part) {
    __shared__ __align__(16) __half s[128][72];
    const int t = threadIdx.x, l = t % 32, w = t / 32, first = blockIdx.y * part;
    float sum[4][4] = {};
    for (int k = first; k < first + part; k += 64) {
        for (int e = t; e < 1024; e += 128) copy(at(&s[e / 8][e % 8 * 8]), b + (blockIdx.x * 128 + e / 8) * n + k + e % 8 * 8);
        commit();
        arrived<0>();
        __syncthreads();
        for (int j = 0; j < 64; j += 16) {
            U u[4], v[2][4];
            for (int q = 0; q < 4; ++q) u[q] = *reinterpret_cast<const U*>(a + (l / 4 + q % 2 * 8) * n + k + j + l % 4 * 2 + q / 2 * 8);
            for (int i = 0; i < 2; ++i) load4(v[i], at(&s[w * 32 + 16 * i + l % 8 + l / 16 * 8][j + l / 8 % 2 * 8]));
            for (int q = 0; q < 4; ++q) mma(sum[q], u, v[q / 2][q % 2 * 2], v[q / 2][q % 2 * 2 + 1]);
        }
        __syncthreads();
    }
    for (int q = 0; q < 16; ++q) atomicAdd(&c[(l / 4 + q % 4 / 2 * 8) * n + blockIdx.x * 128 + w * 32 + q / 4 * 8 + l % 4 * 2 + q % 2], sum[q / 4][q % 4]);
}
