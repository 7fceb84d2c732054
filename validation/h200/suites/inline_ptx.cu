// Inline PTX and intrinsics, as hand-tuned kernels have them, against the host.
#include "../programs/check.h"
__global__ void words(const unsigned* x, const unsigned* y, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned a = x[i], b = y[i];
    unsigned r, s, lane, carry_low, carry_high;
    unsigned* o = out + i * 16;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(a >> 3));
    o[0] = r;
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(r) : "r"(a), "r"(b));
    o[1] = r;
    asm("bfi.b32 %0, %1, %2, 5, 9;" : "=r"(r) : "r"(a), "r"(b));
    o[2] = r;
    asm("bfe.s32 %0, %1, 7, 11;" : "=r"(r) : "r"(a));
    o[3] = r;
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %2, 0;" : "=r"(carry_low), "=r"(carry_high) : "r"(a), "r"(b));
    o[4] = carry_low, o[5] = carry_high;
    asm("mad.hi.u32 %0, %1, %2, %1;" : "=r"(r) : "r"(a), "r"(b));
    o[6] = r;
    asm("shf.l.wrap.b32 %0, %1, %2, 13;" : "=r"(r) : "r"(a), "r"(b));
    o[7] = r;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(7u));
    o[8] = r;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(11u));
    o[9] = r;
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
    asm("clz.b32 %0, %1;" : "=r"(s) : "r"(b));
    o[10] = r ^ s;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    o[11] = lane;
    asm("{ .reg .pred p; setp.gt.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a), "r"(b));
    o[12] = __popc(__ballot_sync(0xffffffffu, r));
    o[13] = __byte_perm(a, b, 0x3276) + __brev(b) + __ffs(a) + __funnelshift_r(a, b, 9);
    o[14] = __vadd4(a, b) ^ __vmaxs2(a, b) ^ __vsetltu4(a, b);
    o[15] = __shfl_xor_sync(0xffffffffu, a, 5) + __usad(a, b, 3) + __umulhi(a, b) + __uhadd(a, b);
}
unsigned byte(unsigned x, int k) { return x >> 8 * k & 255; }
int main() {
    const int n = 1 << 15;
    std::vector<unsigned> x(n), y(n), got(n * 16);
    Random random(23);
    for (int i = 0; i < n; ++i) x[i] = random.next() * 2654435761u, y[i] = random.next() * 40503u;
    unsigned *a, *b, *o;
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMalloc(&o, n * 64));
    CHECK(cudaMemcpy(a, x.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, y.data(), n * 4, cudaMemcpyHostToDevice));
    words<<<n / 256, 256>>>(a, b, o, n);
    CHECK(cudaMemcpy(got.data(), o, n * 64, cudaMemcpyDeviceToHost));
    int wrong[16] = {};
    for (int i = 0; i < n; ++i) {
        const unsigned p = x[i], q = y[i], *g = got.data() + i * 16;
        const unsigned long long wide = (unsigned long long)q << 32 | p;
        unsigned brev_p = 0, brev_q = 0, differences = 7, dot = 11, votes = 0, sums = 0, sets = 0, maxima = 0;
        for (int k = 0; k < 32; ++k) brev_p |= (p >> k & 1) << (31 - k), brev_q |= (q >> k & 1) << (31 - k);
        for (int k = 0; k < 4; ++k) {
            differences += abs(int(byte(p, k)) - int(byte(q, k)));
            dot += byte(p, k) * int((signed char)byte(q, k));
            sums |= (byte(p, k) + byte(q, k) & 255) << 8 * k;
            sets |= unsigned(byte(p, k) < byte(q, k)) << 8 * k;
        }
        for (int k = 0; k < 2; ++k) maxima |= unsigned((unsigned short)std::max(short(p >> 16 * k), short(q >> 16 * k))) << 16 * k;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) votes += x[k] > y[k];
        unsigned clz = q ? __builtin_clz(q) : 32, other = x[i ^ 5];
        wrong[0] += g[0] != (p ^ q ^ p >> 3);
        wrong[1] += g[1] != ((p & 0xffff) | q << 16);
        wrong[2] += g[2] != ((q & ~(0x1ffu << 5)) | (p & 0x1ff) << 5);
        wrong[3] += g[3] != unsigned(int(p << 14) >> 21);
        wrong[4] += g[4] != p + q;
        wrong[5] += g[5] != p + unsigned(p + q < p);
        wrong[6] += g[6] != unsigned((unsigned long long)p * q >> 32) + p;
        wrong[7] += g[7] != unsigned(wide << 13 >> 32);
        wrong[8] += g[8] != differences;
        wrong[9] += g[9] != dot;
        wrong[10] += g[10] != (brev_p ^ clz);
        wrong[11] += g[11] != unsigned(i % 32);
        wrong[12] += g[12] != votes;
        wrong[13] += g[13] != (byte(q, 2) | byte(q, 3) << 8 | byte(p, 2) << 16 | byte(p, 3) << 24) + brev_q + __builtin_ffs(p) + unsigned(wide >> 9);
        wrong[14] += g[14] != (sums ^ maxima ^ sets);
        wrong[15] += g[15] != other + (p > q ? p - q : q - p) + 3 + unsigned((unsigned long long)p * q >> 32) + unsigned(((unsigned long long)p + q) >> 1);
    }
    int all = 0;
    for (int k = 0; k < 16; ++k) {
        all += wrong[k];
        if (wrong[k]) printf("word %d: %d wrong\n", k, wrong[k]);
    }
    return verdict(all == 0, "inline_ptx");
}
