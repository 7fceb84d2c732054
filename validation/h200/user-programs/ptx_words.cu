// Words by inline PTX: bit fields, carries, bytes, dot products, matches, asynchronous copies, matrix loads, cache hints.
#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>

#include "digest.h"

__device__ unsigned mix(unsigned a, unsigned b) {
    unsigned field, inserted, permuted, logic, shifted, reversed, zeros, found;
    asm("bfe.u32 %0, %1, 5, 11;" : "=r"(field) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 7, 9;" : "=r"(inserted) : "r"(b), "r"(a));
    asm("prmt.b32 %0, %1, %2, 0x4721;" : "=r"(permuted) : "r"(a), "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(logic) : "r"(a), "r"(b), "r"(inserted));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(shifted) : "r"(a), "r"(b), "r"(field & 31));
    asm("brev.b32 %0, %1;" : "=r"(reversed) : "r"(a));
    asm("clz.b32 %0, %1;" : "=r"(zeros) : "r"(b >> (a & 15)));
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(found) : "r"(b | 1));
    return field + inserted * 3 + permuted * 5 + logic * 7 + shifted * 11 + reversed * 13 + zeros * 17 + found * 19;
}
__device__ unsigned long long wide(unsigned long long a, unsigned long long b) {  // upper 64 bits of a product, plus carries
    unsigned long long high, low, sum;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(high) : "l"(a), "l"(b));
    asm("{ .reg .u64 t; mad.lo.cc.u64 t, %1, %2, %3; madc.hi.u64 %0, %1, %2, 0; }" : "=l"(low) : "l"(a), "l"(b), "l"(~a));
    unsigned x = a, y = a >> 32, u = b, v = b >> 32, p, q;
    asm("{ add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5; }" : "=&r"(p), "=r"(q) : "r"(x), "r"(y), "r"(u), "r"(v));
    sum = p | static_cast<unsigned long long>(q) << 32;
    return high ^ low ^ sum;
}

__global__ void words(const unsigned* from, unsigned* to, unsigned long long* products, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a, b;
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(a) : "l"(from + i));
    asm volatile("ld.global.ca.L2::128B.u32 %0, [%1];" : "=r"(b) : "l"(from + (i ^ 1)));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from + (i + 512) % n));
    int dot = 0, pairs;
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(dot) : "r"(a), "r"(b), "r"(i));
    asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(pairs) : "r"(a), "r"(b), "r"(dot));
    unsigned same, sum, vote, lanes;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(a & 3));
    asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(int(b)));
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 0x40000000; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(vote) : "r"(a));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    const unsigned result = mix(a, b) + pairs + __popc(same & lanes) + sum + vote;
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to + i), "r"(result) : "memory");
    products[i] = wide(a * 0x9E3779B97F4A7C15ull, b * 0xC2B2AE3D27D4EB4Full);
}

__global__ void tiles(const half* from, half* to, int side) {  // transposes 16 x 16 tiles by ldmatrix and stmatrix's twin
    __shared__ __align__(16) half tile[4][16 * 16];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tile_x = blockIdx.x * 4 + warp, tile_y = blockIdx.y;
    const half* source = from + (tile_y * 16 + lane / 2) * side + tile_x * 16 + lane % 2 * 8;
    const unsigned place = __cvta_generic_to_shared(&tile[warp][lane / 2 * 16 + lane % 2 * 8]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(source));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncwarp();
    const unsigned row = __cvta_generic_to_shared(&tile[warp][lane % 16 * 16 + lane / 16 * 8]);
    unsigned part[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
                 : "r"(row));
    for (int k = 0; k < 4; ++k) {  // rows 0 to 7 and 8 to 15 of the left half, then of the right one
        const int y = tile_x * 16 + k / 2 * 8 + lane / 4, x = tile_y * 16 + k % 2 * 8 + lane % 4 * 2;
        *reinterpret_cast<unsigned*>(to + y * side + x) = part[k];
    }
}

static unsigned host_mix(unsigned a, unsigned b) {
    const unsigned field = a >> 5 & 2047, mask = 511u << 7, inserted = (a & ~mask) | (b << 7 & mask);
    unsigned char bytes[8];
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    const unsigned permuted = bytes[1] | bytes[2] << 8 | bytes[7] << 16 | unsigned(bytes[4]) << 24;
    const unsigned logic = a ^ b ^ inserted, by = field & 31, shifted = by ? b << by | a >> (32 - by) : b;
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (a >> bit & 1) << (31 - bit);
    const unsigned rest = b >> (a & 15), zeros = rest ? __builtin_clz(rest) : 32, found = __builtin_clz(b | 1);
    return field + inserted * 3 + permuted * 5 + logic * 7 + shifted * 11 + reversed * 13 + zeros * 17 + found * 19;
}
static unsigned long long host_wide(unsigned long long a, unsigned long long b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    const auto high = static_cast<unsigned long long>(product >> 64), low = static_cast<unsigned long long>(product);
    const unsigned long long carry = low + ~a < low;
    return high ^ (high + carry) ^ (a + b);
}

int main() {
    const int n = 1 << 18, side = 1024;
    Random random(77);
    std::vector<unsigned> input(n), result(n);
    for (auto& word : input) word = random.next() << 9 ^ random.next();
    unsigned *from, *to;
    unsigned long long* products;
    CHECK(cudaMalloc(&from, n * 4));
    CHECK(cudaMalloc(&to, n * 4));
    CHECK(cudaMalloc(&products, n * 8));
    CHECK(cudaMemcpy(from, input.data(), n * 4, cudaMemcpyHostToDevice));
    std::vector<half> image(side * side), turned(side * side);
    for (int i = 0; i < side * side; ++i) image[i] = __float2half(i % 2039);
    half *a, *b;
    CHECK(cudaMalloc(&a, side * side * 2));
    CHECK(cudaMalloc(&b, side * side * 2));
    CHECK(cudaMemcpy(a, image.data(), side * side * 2, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    words<<<n / 256, 256>>>(from, to, products, n);
    tiles<<<dim3(side / 64, side / 16), 128>>>(a, b, side);
    elapsed.print();
    CHECK(cudaMemcpy(result.data(), to, n * 4, cudaMemcpyDeviceToHost));
    std::vector<unsigned long long> wides(n);
    CHECK(cudaMemcpy(wides.data(), products, n * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(turned.data(), b, side * side * 2, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i) {
        const unsigned own = input[i], other = input[i ^ 1];
        int dot = i, most = INT32_MIN;
        for (int k = 0; k < 4; ++k)
            dot += static_cast<signed char>(own >> 8 * k) * static_cast<int>(other >> 8 * k & 255);
        for (int k = 0; k < 2; ++k)
            dot += static_cast<short>(own >> 16 * k) * static_cast<int>(static_cast<signed char>(other >> 8 * k));
        unsigned before = 0, vote = 0;
        for (int k = 0; k < 32; ++k) {
            const unsigned word = input[(i & ~31) + k];
            before += k < i % 32 && (word & 3) == (own & 3);
            vote |= (word > 0x40000000u) << k;
            most = std::max(most, static_cast<int>(word));
        }
        right &= result[i] == host_mix(own, other) + dot + before + most + vote;
        right &= wides[i] == host_wide(own * 0x9E3779B97F4A7C15ull, other * 0xC2B2AE3D27D4EB4Full);
    }
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            right &= __half2float(turned[y * side + x]) == __half2float(image[x * side + y]);
    digest("words", result.data(), n * 4);
    digest("products", wides.data(), n * 8);
    return verdict(right, "ptx_words");
}
