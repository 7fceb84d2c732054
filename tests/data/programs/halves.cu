// Extremes and sums of halves of words (DPX and SIMD intrinsics), against loops on the host.
#include <algorithm>
#include <cstdio>
constexpr int N = 64, RESULTS = 9;
__global__ void halves(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out) {
    const int i = threadIdx.x;
    unsigned* to = out + i * RESULTS;
    to[0] = __vadd2(a[i], b[i]);
    to[1] = __vsub2(a[i], b[i]);
    to[2] = __viaddmax_s16x2(a[i], b[i], c[i]);
    to[3] = __viaddmin_u16x2(a[i], b[i], c[i]);
    to[4] = __viaddmax_s16x2_relu(a[i], b[i], c[i]);
    to[5] = __vimax3_s16x2(a[i], b[i], c[i]);
    to[6] = __vimin3_u16x2(a[i], b[i], c[i]);
    to[7] = __vimax3_s32_relu(a[i], b[i], c[i]);
    to[8] = __vimin_s16x2_relu(a[i], b[i]);
}
static short s(unsigned word, int k) { return short(word >> 16 * k); }
static unsigned u(unsigned word, int k) { return word >> 16 * k & 0xffff; }
static unsigned want(int which, unsigned a, unsigned b, unsigned c) {
    if (which == 7) return unsigned(std::max({int(a), int(b), int(c), 0}));
    unsigned result = 0;
    for (int k = 0; k < 2; ++k) {
        const short sum = short(u(a, k) + u(b, k));
        const unsigned parts[] = {u(a, k) + u(b, k), u(a, k) - u(b, k), unsigned(std::max(sum, s(c, k))),
                                  std::min((u(a, k) + u(b, k)) & 0xffff, u(c, k)), unsigned(std::max<int>({sum, s(c, k), 0})),
                                  unsigned(std::max({s(a, k), s(b, k), s(c, k)})), std::min({u(a, k), u(b, k), u(c, k)}), 0,
                                  unsigned(std::max<int>(0, std::min(s(a, k), s(b, k))))};
        result |= (parts[which] & 0xffff) << 16 * k;
    }
    return result;
}
int main() {
    unsigned *data, *out;
    cudaMallocManaged(&data, 3 * N * 4);
    cudaMallocManaged(&out, N * RESULTS * 4);
    for (unsigned i = 0; i < 3 * N; ++i) data[i] = (i + 1) * 0x9e3779b9u ^ i << 13;
    halves<<<1, N>>>(data, data + N, data + 2 * N, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    int wrong = 0;
    for (int i = 0; i < N * RESULTS; ++i)
        if (const unsigned right = want(i % RESULTS, data[i / RESULTS], data[N + i / RESULTS], data[2 * N + i / RESULTS]); out[i] != right && wrong++ < 3)
            printf("%d: %08x, not %08x\n", i % RESULTS, out[i], right);
    return wrong != 0;
}
