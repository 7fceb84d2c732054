// Attention of one head after another, 64 numbers a row: 16 queries a warp, 64 keys at a time, softmax on the way.
#include "tensor.cuh"

KERNEL x_attention(const __half* queries, const __half* keys, const __half* values, __half* out, int n) {
    __shared__ __align__(16) __half s[2][2][64][72];
    const int t = threadIdx.x, l = t % 32, row = blockIdx.x * 64 + t / 32 * 16 + l / 4, head = blockIdx.y * n * 64;
    const auto fetch = [&](int k) {
        for (int e = t; k < n && e < 1024; e += 128) {
            const int r = e / 8 % 64, q = e % 8 * 8;
            copy(at(&s[k / 64 % 2][e / 512][r][q]), (e < 512 ? keys : values) + head + (k + r) * 64 + q);
        }
        commit();
    };
    U q[4][4];
    for (int i = 0; i < 4; ++i)
        for (int e = 0; e < 4; ++e) q[i][e] = *reinterpret_cast<const U*>(queries + head + (row + e % 2 * 8) * 64 + i * 16 + e / 2 * 8 + l % 4 * 2);
    float sum[8][4] = {}, most[2] = {-1e9f, -1e9f}, total[2] = {};
    fetch(0);
    for (int k = 0; k < n; k += 64) {
        fetch(k + 64);
        arrived<1>();
        __syncthreads();
        float p[8][4] = {};
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i < 4; ++i) {
                U v[4];
                load4(v, at(&s[k / 64 % 2][0][i * 16 + l % 8 + l / 16 * 8][j * 16 + l / 8 % 2 * 8]));
                mma(p[2 * i], q[j], v[0], v[1]);
                mma(p[2 * i + 1], q[j], v[2], v[3]);
            }
        for (int h = 0; h < 2; ++h) {
            float high = most[h];
            for (int i = 0; i < 16; ++i) high = fmaxf(high, p[i / 2][h * 2 + i % 2]);
            for (int d = 1; d < 4; d *= 2) high = fmaxf(high, __shfl_xor_sync(~0u, high, d));
            const float scale = exp2f(most[h] - high);
            most[h] = high;
            total[h] *= scale;
            for (int i = 0; i < 16; ++i) {
                sum[i / 2][h * 2 + i % 2] *= scale;
                total[h] += p[i / 2][h * 2 + i % 2] = exp2f(p[i / 2][h * 2 + i % 2] - high);
            }
        }
        for (int j = 0; j < 4; ++j) {
            U w[4], v[4];
            for (int e = 0; e < 4; ++e) {
                const __half2 two = __floats2half2_rn(p[2 * j + e / 2][e % 2 * 2], p[2 * j + e / 2][e % 2 * 2 + 1]);
                w[e] = *reinterpret_cast<const U*>(&two);
            }
            for (int i = 0; i < 4; ++i) {
                load4_turned(v, at(&s[k / 64 % 2][1][j * 16 + l % 16][i * 16 + l / 16 * 8]));
                mma(sum[2 * i], w, v[0], v[1]);
                mma(sum[2 * i + 1], w, v[2], v[3]);
            }
        }
        __syncthreads();
    }
    for (int h = 0; h < 2; ++h)
        for (int d = 1; d < 4; d *= 2) total[h] += __shfl_xor_sync(~0u, total[h], d);
    for (int i = 0; i < 16; ++i)
        *reinterpret_cast<__half2*>(out + head + (row + i % 2 * 8) * 64 + i / 2 * 8 + l % 4 * 2) =
            __floats2half2_rn(sum[i / 2][i % 2 * 2] / total[i % 2], sum[i / 2][i % 2 * 2 + 1] / total[i % 2]);
}
