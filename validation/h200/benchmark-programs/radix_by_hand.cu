// Sorting by digits without a library: counts of 4-bit digits by votes, sums of blocks at several levels, stable scatter of keys and
// values; then runs of equal keys are found, compacted by the same sums, and their values added.
#include <algorithm>

#include "../user-programs/digest.h"

const int N = 1 << 18, BLOCK = 256, TILE = 1024, BLOCKS = N / TILE;

__global__ void count_digits(const unsigned* keys, int shift, int* counts) {
    __shared__ int found[16];
    if (threadIdx.x < 16) found[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < TILE; k += BLOCK) atomicAdd(&found[keys[blockIdx.x * TILE + k] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = found[threadIdx.x];
}
// Exclusive sums of TILE numbers by a tree that goes up and down again; `sums` takes each block's total.
__global__ void scan_tiles(const int* in, int* out, int* sums, int n) {
    __shared__ int tree[TILE];
    const int first = blockIdx.x * TILE;
    for (int k = threadIdx.x; k < TILE; k += BLOCK) tree[k] = first + k < n ? in[first + k] : 0;
    for (int step = 1; step < TILE; step *= 2) {
        __syncthreads();
        for (int k = threadIdx.x; k < TILE / step / 2; k += BLOCK) tree[(2 * k + 2) * step - 1] += tree[(2 * k + 1) * step - 1];
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = tree[TILE - 1], tree[TILE - 1] = 0;
    for (int step = TILE / 2; step > 0; step /= 2) {
        __syncthreads();
        for (int k = threadIdx.x; k < TILE / step / 2; k += BLOCK) {
            const int low = (2 * k + 1) * step - 1, high = (2 * k + 2) * step - 1, kept = tree[low];
            tree[low] = tree[high], tree[high] += kept;
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < TILE && first + k < n; k += BLOCK) out[first + k] = tree[k];
}
__global__ void add_sums(int* out, const int* sums, int n) {
    for (int k = threadIdx.x; k < TILE; k += BLOCK)
        if (blockIdx.x * TILE + k < n) out[blockIdx.x * TILE + k] += sums[blockIdx.x];
}
__global__ void scatter(const unsigned* keys, const int* values, int shift, const int* starts, unsigned* to_keys, int* to_values) {
    __shared__ int next[16], counts[BLOCK / 32][16];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 16) next[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
    for (int from = 0; from < TILE; from += BLOCK) {
        const int at = blockIdx.x * TILE + from + threadIdx.x;
        const unsigned key = keys[at], digit = key >> shift & 15;
        unsigned same = ~0u;
        for (int bit = 0; bit < 4; ++bit) {
            const unsigned set = __ballot_sync(~0u, digit >> bit & 1);
            same &= digit >> bit & 1 ? set : ~set;
        }
        if (lane < 16) counts[warp][lane] = 0;
        __syncwarp();
        const int before = __popc(same & ((1u << lane) - 1));
        if (before == 0) counts[warp][digit] = __popc(same);
        __syncthreads();
        int place = next[digit] + before;
        for (int k = 0; k < warp; ++k) place += counts[k][digit];
        to_keys[place] = key, to_values[place] = values[at];
        __syncthreads();
        if (threadIdx.x < 16)
            for (int k = 0; k < BLOCK / 32; ++k) next[threadIdx.x] += counts[k][threadIdx.x];
        __syncthreads();
    }
}
__global__ void heads(const unsigned* keys, int* flags) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < N) flags[k] = k == 0 || keys[k] != keys[k - 1];
}
__global__ void compact(const int* flags, const int* places, int* starts) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < N && flags[k]) starts[places[k]] = k;
}
__global__ void add_runs(const int* starts, int runs, const int* values, long long* sums) {
    const int run = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (run >= runs) return;
    const int last = run + 1 < runs ? starts[run + 1] : N;
    long long sum = 0;
    for (int k = starts[run] + lane; k < last; k += 32) sum += values[k];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) sums[run] = sum;
}

int *level[3];

void scan(const int* in, int* out, int n, int depth = 0) {
    const int blocks = (n + TILE - 1) / TILE;
    scan_tiles<<<blocks, BLOCK>>>(in, out, level[depth], n);
    if (blocks == 1) return;
    scan(level[depth], level[depth], blocks, depth + 1);
    add_sums<<<blocks, BLOCK>>>(out, level[depth], n);
}

int main() {
    std::vector<unsigned> keys(N);
    std::vector<int> values(N);
    Random random(23);
    for (int k = 0; k < N; ++k) keys[k] = random.next() % 4093 * 65521u, values[k] = random.next() & 4095;
    unsigned* key[2];
    int *value[2], *counts, *flags, *places, *starts;
    long long* sums;
    for (int k = 0; k < 2; ++k) {
        CHECK(cudaMalloc(&key[k], N * 4));
        CHECK(cudaMalloc(&value[k], N * 4));
    }
    CHECK(cudaMalloc(&counts, 16 * BLOCKS * 4));
    for (auto each : {&flags, &places, &starts}) CHECK(cudaMalloc(each, N * 4));
    for (auto& each : level) CHECK(cudaMalloc(&each, TILE * 4));
    CHECK(cudaMalloc(&sums, 4096 * 8));
    CHECK(cudaMemcpy(key[0], keys.data(), N * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(value[0], values.data(), N * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int pass = 0; pass < 8; ++pass) {
        const int from = pass % 2;
        count_digits<<<BLOCKS, BLOCK>>>(key[from], 4 * pass, counts);
        scan(counts, counts, 16 * BLOCKS);
        scatter<<<BLOCKS, BLOCK>>>(key[from], value[from], 4 * pass, counts, key[1 - from], value[1 - from]);
    }
    heads<<<N / BLOCK, BLOCK>>>(key[0], flags);
    scan(flags, places, N);
    compact<<<N / BLOCK, BLOCK>>>(flags, places, starts);
    int last[2];
    CHECK(cudaMemcpy(&last[0], places + N - 1, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&last[1], flags + N - 1, 4, cudaMemcpyDeviceToHost));
    const int runs = last[0] + last[1];
    add_runs<<<(runs * 32 + BLOCK - 1) / BLOCK, BLOCK>>>(starts, runs, value[0], sums);
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<unsigned> sorted(N);
    std::vector<int> moved(N);
    std::vector<long long> added(runs), ours;
    CHECK(cudaMemcpy(sorted.data(), key[0], N * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(moved.data(), value[0], N * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(added.data(), sums, runs * 8, cudaMemcpyDeviceToHost));
    std::vector<int> order(N);
    for (int k = 0; k < N; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    bool right = true;
    for (int k = 0; k < N; ++k) {
        right = right && sorted[k] == keys[order[k]] && moved[k] == values[order[k]];
        if (k == 0 || keys[order[k]] != keys[order[k - 1]]) ours.push_back(0);
        ours.back() += values[order[k]];
    }
    digest("keys", sorted.data(), N * 4);
    digest("values", moved.data(), N * 4);
    digest("sums", added.data(), runs * 8);
    return verdict(right && ours == added, "radix_by_hand");
}
