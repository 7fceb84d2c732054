// Integer kernels whose results are compared bit for bit: complete execution against the GPU.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;
using u32 = std::uint32_t;
using u64 = unsigned long long;
using i64 = long long;

#define ME (blockIdx.x * blockDim.x + threadIdx.x)

// Sum of a block by shared memory, then of the grid by an atomic.
extern "C" __global__ void reduce_sum(const u32* in, u32* out, int n) {
    __shared__ u32 part[256];
    u32 sum = 0;
    for (int i = ME; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

// Inclusive scan of each block by shuffles.
extern "C" __global__ void scan_blocks(const u32* in, u32* out) {
    __shared__ u32 totals[32];
    u32 value = in[ME];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int by = 1; by < 32; by *= 2) {
        const u32 other = __shfl_up_sync(~0u, value, by);
        if (lane >= by) value += other;
    }
    if (lane == 31) totals[warp] = value;
    __syncthreads();
    if (warp == 0) {
        u32 total = lane < blockDim.x / 32 ? totals[lane] : 0;
        for (int by = 1; by < 32; by *= 2) {
            const u32 other = __shfl_up_sync(~0u, total, by);
            if (lane >= by) total += other;
        }
        totals[lane] = total;
    }
    __syncthreads();
    out[ME] = value + (warp ? totals[warp - 1] : 0);
}

// Bitonic sort of a block in dynamic shared memory.
extern "C" __global__ void bitonic_sort(u32* data) {
    extern __shared__ u32 keys[];
    keys[threadIdx.x] = data[ME];
    __syncthreads();
    for (int size = 2; size <= blockDim.x; size *= 2)
        for (int by = size / 2; by > 0; by /= 2) {
            const int other = threadIdx.x ^ by;
            if (other > threadIdx.x) {
                const bool up = (threadIdx.x & size) == 0;
                const u32 a = keys[threadIdx.x], b = keys[other];
                if ((a > b) == up) {
                    keys[threadIdx.x] = b;
                    keys[other] = a;
                }
            }
            __syncthreads();
        }
    data[ME] = keys[threadIdx.x];
}

extern "C" __global__ void histogram(const unsigned char* in, u32* bins, int n) {
    __shared__ u32 own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = ME; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// One level of a breadth-first search; the graph is in CSR form.
extern "C" __global__ void bfs_level(const int* rows, const int* columns, int* depth, int* changed, int level, int n) {
    const int v = ME;
    if (v >= n || depth[v] != level) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e)
        if (atomicCAS(&depth[columns[e]], -1, level + 1) == -1) *changed = 1;
}

// A persistent block drains a queue: order matters only inside it.
extern "C" __global__ void queue_bfs(const int* rows, const int* columns, int* depth, int n) {
    __shared__ int queue[2048];
    __shared__ int head, tail;
    for (int v = threadIdx.x; v < n; v += blockDim.x) depth[v] = v == 0 ? 0 : -1;
    if (threadIdx.x == 0) {
        head = 0;
        tail = 1;
        queue[0] = 0;
    }
    __syncthreads();
    while (true) {
        const int from = head, to = tail;
        __syncthreads();
        if (from == to) break;
        for (int k = from + threadIdx.x; k < to; k += blockDim.x) {
            const int v = queue[k & 2047];
            for (int e = rows[v]; e < rows[v + 1]; ++e) {
                const int w = columns[e];
                if (atomicCAS(&depth[w], -1, depth[v] + 1) == -1) queue[atomicAdd(&tail, 1) & 2047] = w;
            }
        }
        if (threadIdx.x == 0) head = to;
        __syncthreads();
    }
}

extern "C" __global__ void divide(const i64* a, const i64* b, i64* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const i64 x = a[i], y = b[i] | 1;
    const u64 ux = x, uy = y;
    out[8 * i + 0] = x / y;
    out[8 * i + 1] = x % y;
    out[8 * i + 2] = ux / uy;
    out[8 * i + 3] = ux % uy;
    out[8 * i + 4] = (int)x / ((int)y | 1);
    out[8 * i + 5] = (int)x % ((int)y | 1);
    out[8 * i + 6] = (u32)ux / ((u32)uy | 1u);
    out[8 * i + 7] = ((short)x / 7) + ((u32)ux % 1000003u) + x / 10;
}

extern "C" __global__ void bits(const u32* a, const u32* b, const u32* c, u32* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const u32 x = a[i], y = b[i], z = c[i];
    u32* o = out + 32 * i;
    o[0] = __popc(x);
    o[1] = __clz(x >> (y & 31));
    o[2] = __ffs(x << (y & 31));
    o[3] = __brev(x);
    o[4] = __byte_perm(x, y, z);
    o[5] = __funnelshift_l(x, y, z);
    o[6] = __funnelshift_rc(x, y, z & 63);
    o[7] = x << (z & 31);
    o[8] = (int)x >> (z & 31);
    o[9] = (x & y) ^ (z | ~x);
    o[10] = __umulhi(x, y);
    o[11] = __mulhi((int)x, (int)y);
    o[12] = __mul24(x, y);
    o[13] = __usad(x, y, z);
    o[14] = __sad((int)x, (int)y, z);
    o[15] = max((int)x, (int)y) - min(x, z);
    o[16] = abs((int)x);
    o[17] = __dp4a((int)x, (int)y, (int)z);
    o[18] = __dp4a(x, y, z);
    o[19] = __dp2a_lo((int)x, (int)y, (int)z);
    o[20] = __dp2a_hi(x, y, z);
    o[21] = __vadd4(x, y);
    o[22] = __vabsdiffu4(x, y);
    o[23] = __vmaxs2(x, y);
    o[24] = __vcmpgtu4(x, y);
    o[25] = __uhadd(x, y);
    o[26] = __rhadd((int)x, (int)y);
    o[27] = (int)(signed char)(x >> 8) + (short)y;
    o[28] = max(max(x, y), z);
    o[29] = min(min((int)x + (int)y, (int)z), 0);
    o[30] = (x >> 3 & 0x3ff) | (y & 7) << 13;
    o[31] = x * 2654435761u + y * 33u;
}

extern "C" __global__ void wide(const u64* a, const u64* b, u64* out, int n) {
    const int i = ME;
    if (i >= n) return;
    const u64 x = a[i], y = b[i];
    u64* o = out + 16 * i;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = __umul64hi(x, y);
    o[4] = __mul64hi((i64)x, (i64)y);
    o[5] = x << (y & 63);
    o[6] = x >> (y & 63);
    o[7] = (i64)x >> (y & 63);
    o[8] = __popcll(x) + __clzll(y) * 100 + __ffsll((i64)x) * 10000;
    o[9] = __brevll(x);
    o[10] = x < y ? x : y;
    o[11] = (i64)x > (i64)y ? x : y;
    o[12] = (u64)(u32)x * (u32)y + y;
    o[13] = (u64)((i64)(int)x * (int)y) - x;
    o[14] = (x == y) + 2 * (x <= y) + 4 * ((i64)x >= 0);
    unsigned __int128 p = (unsigned __int128)x * y + x;
    o[15] = (u64)(p >> 64) ^ (u64)p;
}

extern "C" __global__ void warp_votes(const u32* in, u32* out) {
    const u32 x = in[ME];
    u32* o = out + 12 * ME;
    o[0] = __ballot_sync(~0u, x & 1);
    o[1] = __any_sync(~0u, x % 37 == 0) + 2 * __all_sync(~0u, x % 37 != 0);
    o[2] = __match_any_sync(~0u, x & 7);
    int same;
    o[3] = __match_all_sync(~0u, x >> 31 | 1, &same) + same;
    o[4] = __reduce_add_sync(~0u, x);
    o[5] = __reduce_max_sync(~0u, (int)x);
    o[6] = __reduce_xor_sync(~0u, x);
    o[7] = __reduce_min_sync(~0u, x);
    o[8] = __shfl_xor_sync(~0u, x, 5, 16);
    o[9] = __shfl_sync(~0u, x, x & 63, 8);
    o[10] = __shfl_down_sync(~0u, x, 3, 8);
    if (x & 2) {  // only some lanes
        const u32 here = __activemask();
        o[11] = __popc(here) + __shfl_sync(here, x, __ffs(here) - 1);
    } else {
        o[11] = __reduce_or_sync(__activemask(), x);
    }
}

extern "C" __global__ void groups(const u32* in, u32* out) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    u32 value = in[ME];
    for (int by = tile.size() / 2; by > 0; by /= 2) value += tile.shfl_down(value, by);
    value = tile.shfl(value, 0) + tile.meta_group_rank();
    if (in[ME] % 3 == 0) {
        const cg::coalesced_group some = cg::coalesced_threads();
        value += 1000 * some.thread_rank() + 100000 * some.size();
    }
    block.sync();
    out[ME] = value;
}

extern "C" __global__ void grid_sync(u32* data, int n, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; ++round) {
        const int i = ME;
        const u32 next = i < n ? data[(i + n - 1) % n] * 3 + data[(i + 1) % n] + round : 0;
        grid.sync();
        if (i < n) data[i] = next;
        grid.sync();
    }
}

__device__ __noinline__ u32 ackermann(u32 m, u32 n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void recursion(u32* out) { out[ME] = ackermann(threadIdx.x % 3, threadIdx.x % 5); }

extern "C" __global__ void local_arrays(const u32* in, u32* out, int rounds) {
    u32 table[32];
    for (int k = 0; k < 32; ++k) table[k] = in[ME] + k;
    for (int k = 0; k < rounds; ++k) {
        const u32 at = table[k & 31] % 32;
        table[at] = table[at] * 5 + table[(at + 7) & 31];
    }
    u32 sum = 0;
    for (int k = 0; k < 32; ++k) sum = sum * 31 + table[k];
    out[ME] = sum;
}

extern "C" __global__ void switches(const u32* in, u32* out) {
    u32 x = in[ME], result = 0;
    for (int k = 0; k < 8; ++k, x >>= 4) switch (x & 15) {
            case 0: result += 17; break;
            case 1: result ^= 0x5555; break;
            case 2: result = result * 3 + 1; break;
            case 3: result = __brev(result); break;
            case 4: result -= in[ME / 2]; break;
            case 5: result |= 1 << k; break;
            case 6: result = result << 3 | result >> 29; break;
            case 7: result *= result; break;
            case 8: if (result & 1) continue; result += 9; break;
            case 9: result = ~result; break;
            case 10: result %= 1001; break;
            default: result += x;
        }
    out[ME] = result;
}

__device__ u32 add(u32 a, u32 b) { return a + b; }
__device__ u32 multiply(u32 a, u32 b) { return a * b; }
__device__ u32 exclusive(u32 a, u32 b) { return a ^ b; }
using Function = u32 (*)(u32, u32);
__device__ Function functions[3] = {add, multiply, exclusive};

extern "C" __global__ void pointers_to_functions(const u32* in, u32* out) { out[ME] = functions[in[ME] % 3](in[ME], ME); }

__constant__ u32 weights[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ u32 counter = 40;
__device__ int table_of_module[64];

extern "C" __global__ void module_variables(const u32* in, u32* out) {
    u32 sum = weights[in[ME] & 15] + weights[3];
    atomicAdd(&counter, 2u);
    atomicMax(&table_of_module[in[ME] & 63], (int)ME);
    out[ME] = sum;
}

extern "C" __global__ void read_module_variables(u32* out) {
    if (threadIdx.x < 64) out[threadIdx.x] = counter + table_of_module[threadIdx.x];
}

extern "C" __global__ void atomics(const u32* in, u32* words, u64* wide_words) {
    const u32 x = in[ME];
    atomicAdd(&words[0], x);
    atomicSub(&words[1], x & 255);
    atomicMin(&words[2], x);
    atomicMax((int*)&words[3], (int)x);
    atomicAnd(&words[4], x | 0xffff0000u);
    atomicOr(&words[5], x & 0xff00ff);
    atomicXor(&words[6], x);
    atomicInc(&words[7], 999u);
    atomicDec(&words[8], 777u);
    atomicAdd(&wide_words[0], (u64)x * x);
    atomicMax(&wide_words[1], (u64)x << 20);
    atomicMin((i64*)&wide_words[2], (i64)x - (1ll << 31));
    atomicXor(&wide_words[3], (u64)x << 32 | x);
    u64 seen = wide_words[4], expected;
    do {
        expected = seen;
        seen = atomicCAS(&wide_words[4], expected, expected * 3 ^ 1);
    } while (seen != expected);
}

// A lock taken by every thread in turn, also by lanes of one warp.
extern "C" __global__ void spin_lock(u32* lock, u32* shared_value) {
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0u, 1u) == 0u) {
            volatile u32* value = shared_value;
            *value = *value + 1;
            __threadfence();
            atomicExch(lock, 0u);
            done = true;
        }
}

// Producers and consumers by named barriers.
extern "C" __global__ void named_barriers(const u32* in, u32* out) {
    __shared__ u32 buffer[64];
    const int lane = threadIdx.x % 64;
    for (int k = 0; k < 8; ++k) {
        if (threadIdx.x < 64) {
            buffer[lane] = in[64 * k + lane] * 3;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[64 * k + lane] = buffer[63 - lane];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
    const int odd = __syncthreads_count(threadIdx.x & in[threadIdx.x % 512] & 1), all = __syncthreads_and(odd > 3),
              any = __syncthreads_or(threadIdx.x == 5);
    if (threadIdx.x == 0) out[512] = odd * 4 + all * 2 + any;
}

extern "C" __global__ void async_copy(const u32* in, u32* out, int n) {
    __shared__ __align__(16) u32 buffer[2][256];
    const auto fetch = [&](int k) {
        const u32 to = (u32)__cvta_generic_to_shared(&buffer[k & 1][4 * threadIdx.x]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 256 * k + 4 * threadIdx.x));
        asm volatile("cp.async.commit_group;");
    };
    fetch(0);
    u32 sum = 0;
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) fetch(k + 1);
        if (k + 1 < n) asm volatile("cp.async.wait_group 1;");
        else asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        for (int i = 0; i < 4; ++i) sum = sum * 7 + buffer[k & 1][(threadIdx.x + 64 * i) & 255];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void bytes_and_vectors(const uchar4* bytes, const short2* shorts, const uint4* quads, uint4* out) {
    const int i = ME;
    const uchar4 b = bytes[i];
    const short2 s = shorts[i];
    const uint4 q = quads[i];
    out[i] = make_uint4(b.x + q.w, b.y * s.x, q.x ^ (u32)s.y, (q.y >> 8) + b.z - b.w);
    const unsigned char* plain = (const unsigned char*)quads;
    out[i].w += plain[i] + ((const signed char*)plain)[i + 1] + ((const unsigned short*)plain)[i] + ((const short*)plain)[i + 3];
}

extern "C" __global__ void generic_pointers(const u32* in, u32* out) {
    __shared__ u32 own[64];
    u32 mine[4];
    own[threadIdx.x] = in[ME] * 3;
    for (int k = 0; k < 4; ++k) mine[k] = in[ME] + k;
    __syncthreads();
    const u32* choices[3] = {in + ME, own + (63 - threadIdx.x), mine + (in[ME] & 3)};
    const u32* chosen = choices[in[ME] % 3];
    out[ME] = *chosen;
}

extern "C" __global__ void prints(const u32* in) {
    if (threadIdx.x == 0) printf("block %d of %u: %08x %5.2f %s %c %lld\n", blockIdx.x, gridDim.x, in[blockIdx.x], in[blockIdx.x] / 65536.0, "text", 'x', (long long)in[0] << 20);
}

// Exits inside divergent loops, and lanes that never existed.
extern "C" __global__ void early_exits(const u32* in, u32* out, int n) {
    const int i = ME;
    if (i >= n) return;
    u32 x = in[i], steps = 0;
    while (true) {
        if (x == 1 || steps > 300) break;
        if (steps > 100 && (x & 3) == 3) {
            out[i] = steps | 1u << 31;
            return;
        }
        x = x & 1 ? 3 * x + 1 : x / 2;
        ++steps;
    }
    out[i] = steps;
}

extern "C" __global__ void cluster_info(u32* out) {
    u32 lanes, warps;
    asm("mov.u32 %0, %%laneid;" : "=r"(lanes));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(warps));
    out[(blockIdx.z * gridDim.y * gridDim.x + blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z +
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =
        lanes + 100 * threadIdx.y + 10000 * threadIdx.z + 1000000 * (blockIdx.y + 10 * blockIdx.z) + (warps & 1);
}

// Matrix of bytes by the integer tensor units: 16x8x32.
extern "C" __global__ void mma_int8(const u32* a, const u32* b, int* d) {
    const int lane = threadIdx.x;
    int c[4] = {lane, -lane, 7, 0};
    u32 x[4], y[2];
    for (int k = 0; k < 4; ++k) x[k] = a[4 * lane + k];
    for (int k = 0; k < 2; ++k) y[k] = b[2 * lane + k];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]));
    for (int k = 0; k < 4; ++k) d[4 * lane + k] = c[k];
}

extern "C" __global__ void matrix_loads(const u32* in, u32* out) {
    __shared__ __align__(16) u32 tile[256];
    for (int k = 0; k < 8; ++k) tile[32 * k + threadIdx.x] = in[32 * k + threadIdx.x];
    __syncwarp();
    const u32 from = (u32)__cvta_generic_to_shared(&tile[4 * threadIdx.x]);
    u32 r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from));
    for (int k = 0; k < 4; ++k) out[8 * threadIdx.x + k] = r[k];
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(from));
    out[8 * threadIdx.x + 4] = r[0];
    out[8 * threadIdx.x + 5] = r[1];
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(from), "r"(r[0] ^ r[1]) : "memory");
    __syncwarp();
    out[8 * threadIdx.x + 6] = tile[threadIdx.x];
    out[8 * threadIdx.x + 7] = tile[threadIdx.x + 32];
}
