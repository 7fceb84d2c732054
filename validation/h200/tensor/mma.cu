// Matrix products with mma, ldmatrix and cp.async: tiles of T by T results, 32 columns at a time, S of them under way.
#include "tensor.cuh"

template <int T, int S>
__device__ void product(const __half* a, const __half* b, float* c, int n) {
    __shared__ __align__(16) __half s[S][2][T][40];
    const int t = threadIdx.x, l = t % 32, w = t / 32, y = w % 2 * (T / 2), x = w / 2 * 32;
    float sum[T / 32][4][4] = {};
    const auto fetch = [&](int k) {
        for (int e = t; k < n && e < 8 * T; e += 2 * T) {
            const int right = e / (4 * T), r = e / 4 % T, q = e % 4 * 8;
            const __half* row = right ? b + (blockIdx.x * T + r) * n : a + (blockIdx.y * T + r) * n;
            copy(at(&s[k / 32 % S][right][r][q]), row + k + q);
        }
        commit();
    };
    for (int k = 0; k < S - 1; ++k) fetch(k * 32);
    for (int k = 0; k < n; k += 32) {
        arrived<S - 2>();
        __syncthreads();
        fetch(k + (S - 1) * 32);
        auto& now = s[k / 32 % S];
        for (int j = 0; j < 32; j += 16) {
            U u[T / 32][4], v[2][4];
            for (int i = 0; i < T / 32; ++i) load4(u[i], at(&now[0][y + 16 * i + l % 16][j + l / 16 * 8]));
            for (int i = 0; i < 2; ++i) load4(v[i], at(&now[1][x + 16 * i + l % 8 + l / 16 * 8][j + l / 8 % 2 * 8]));
            for (int i = 0; i < T / 32; ++i)
                for (int q = 0; q < 4; ++q) mma(sum[i][q], u[i], v[q / 2][q % 2 * 2], v[q / 2][q % 2 * 2 + 1]);
        }
    }
    for (int i = 0; i < T / 32; ++i)
        for (int q = 0; q < 16; ++q)
            c[(blockIdx.y * T + y + 16 * i + l / 4 + q % 4 / 2 * 8) * n + blockIdx.x * T + x + q / 4 * 8 + l % 4 * 2 + q % 2] = sum[i][q / 4][q % 4];
}

KERNEL x_mma_64_2(const __half* a, const __half* b, float* c, int n) { product<64, 2>(a, b, c, n); }
KERNEL x_mma_64_4(const __half* a, const __half* b, float* c, int n) { product<64, 4>(a, b, c, n); }
KERNEL x_mma_128_2(const __half* a, const __half* b, float* c, int n) { product<128, 2>(a, b, c, n); }
