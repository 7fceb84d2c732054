// A single-pass scan by decoupled look-back, written out: blocks publish their sum, then the sum of all before.
#include "../programs/check.h"
constexpr int T = 256, ITEMS = 8, N = 1 << 22;
struct alignas(8) Status { int flag, value; };
__device__ unsigned ticket;
__global__ void scan(const int* in, int* out, unsigned long long* status) {
    __shared__ int warps[T / 32], before;
    __shared__ unsigned tile;
    const int t = threadIdx.x;
    if (t == 0) tile = atomicAdd(&ticket, 1);
    __syncthreads();
    const unsigned own = tile;
    int items[ITEMS], sum = 0;
    for (int i = 0; i < ITEMS / 4; ++i) {
        const int4 v = ((const int4*)in)[(size_t(own) * T + t) * (ITEMS / 4) + i];
        items[4 * i] = v.x, items[4 * i + 1] = v.y, items[4 * i + 2] = v.z, items[4 * i + 3] = v.w;
    }
    for (int i = 0; i < ITEMS; ++i) sum += items[i];
    int inclusive = sum;
    for (int k = 1; k < 32; k *= 2) { const int v = __shfl_up_sync(~0u, inclusive, k); if (t % 32 >= k) inclusive += v; }
    if (t % 32 == 31) warps[t / 32] = inclusive;
    __syncthreads();
    int total = 0, base = 0;
    for (int w = 0; w < T / 32; ++w) { if (w < t / 32) base += warps[w]; total += warps[w]; }
    if (t < 32) {
        volatile unsigned long long* cells = status;
        int prefix = 0;
        if (own == 0) { if (t == 0) cells[0] = (2ull << 32) | unsigned(total); }
        else {
            if (t == 0) cells[own] = (1ull << 32) | unsigned(total);
            for (int at = int(own) - 1;; at -= 32) {
                unsigned long long cell;
                do cell = at - t >= 0 ? cells[at - t] : 2ull << 32; while (__any_sync(~0u, cell >> 32 == 0));
                const unsigned done = __ballot_sync(~0u, cell >> 32 == 2);
                const int last = __ffs(done) - 1;
                int part = done && t > last ? 0 : int(unsigned(cell));
                for (int k = 16; k; k /= 2) part += __shfl_down_sync(~0u, part, k);
                prefix += __shfl_sync(~0u, part, 0);
                if (done) break;
            }
            if (t == 0) cells[own] = (2ull << 32) | unsigned(prefix + total);
        }
        if (t == 0) before = prefix;
    }
    __syncthreads();
    int running = before + base + inclusive - sum;
    for (int i = 0; i < ITEMS; ++i) out[(size_t(own) * T + t) * ITEMS + i] = running += items[i];
}
int main() {
    std::vector<int> in(N), got(N);
    Random random(53);
    for (auto& v : in) v = random.next() % 9;
    int *din, *dout; unsigned long long* status;
    CHECK(cudaMalloc(&din, N * 4)); CHECK(cudaMalloc(&dout, N * 4)); CHECK(cudaMalloc(&status, N / (T * ITEMS) * 8));
    CHECK(cudaMemcpy(din, in.data(), N * 4, cudaMemcpyHostToDevice));
    bool right = true;
    for (int round = 0; round < 2; ++round) {
        const unsigned zero = 0;
        CHECK(cudaMemcpyToSymbol(ticket, &zero, 4)); CHECK(cudaMemset(status, 0, N / (T * ITEMS) * 8));
        Elapsed elapsed;
        scan<<<N / (T * ITEMS), T>>>(din, dout, status);
        elapsed.print();
    }
    CHECK(cudaMemcpy(got.data(), dout, N * 4, cudaMemcpyDeviceToHost));
    int sum = 0;
    for (int i = 0; i < N; ++i) right = right && got[i] == (sum += in[i]);
    return verdict(right, "look_back");
}
