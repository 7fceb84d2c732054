// Sorts tiles of 16384 words in 144 KiB of dynamic shared memory by digits, and merges them by ranks; keys in a file or made.
// Argument: a file of 32-bit words.
#include <algorithm>
#include <fstream>

#include "digest.h"

constexpr int TILE = 16384, THREADS = 512, EACH = TILE / THREADS, WARPS = THREADS / 32;

__global__ void __launch_bounds__(THREADS) sort_tiles(unsigned* keys) {
    extern __shared__ unsigned shared[];
    unsigned *from = shared, *to = shared + TILE, *counts = shared + 2 * TILE;  // 16 digits of each warp
    unsigned* own = keys + size_t(blockIdx.x) * TILE;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < TILE; i += THREADS) from[i] = own[i];
    for (int shift = 0; shift < 32; shift += 4) {
        for (int i = threadIdx.x; i < 16 * WARPS; i += THREADS) counts[i] = 0;
        __syncthreads();
        const int begin = warp * EACH * 32;
        for (int i = begin + lane; i < begin + EACH * 32; i += 32) {
            const unsigned digit = from[i] >> shift & 15, peers = __match_any_sync(~0u, digit);
            if (lane == __ffs(peers) - 1) counts[digit * WARPS + warp] += __popc(peers);
            __syncwarp();
        }
        __syncthreads();
        if (warp == 0) {
            unsigned before = 0;
            for (int i = lane; i < 16 * WARPS; i += 32) {
                const unsigned value = counts[i];
                unsigned sum = value;
                for (int step = 1; step < 32; step *= 2) {
                    const unsigned other = __shfl_up_sync(~0u, sum, step);
                    if (lane >= step) sum += other;
                }
                counts[i] = before + sum - value;
                before += __shfl_sync(~0u, sum, 31);
            }
        }
        __syncthreads();
        for (int i = begin + lane; i < begin + EACH * 32; i += 32) {
            const unsigned key = from[i], digit = key >> shift & 15, peers = __match_any_sync(~0u, digit);
            const unsigned place = counts[digit * WARPS + warp] + __popc(peers & ((1u << lane) - 1));
            to[place] = key;
            __syncwarp();
            if (lane == __ffs(peers) - 1) counts[digit * WARPS + warp] += __popc(peers);
            __syncwarp();
        }
        __syncthreads();
        unsigned* other = from;
        from = to;
        to = other;
    }
    for (int i = threadIdx.x; i < TILE; i += THREADS) own[i] = from[i];
}

__global__ void merge(const unsigned* from, unsigned* to, int run) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, pair = i / (2 * run), place = i % (2 * run);
    const bool second = place >= run;
    const unsigned key = from[i];
    const unsigned* other = from + size_t(pair) * 2 * run + (second ? 0 : run);
    int low = 0, high = run;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (second ? other[middle] <= key : other[middle] < key) low = middle + 1;
        else high = middle;
    }
    to[pair * 2 * run + place % run + low] = key;
}

int main(int count, char** given) {
    const int n = 16 * TILE;
    std::vector<unsigned> keys(n), result(n);
    Random random(1);
    for (unsigned& key : keys) key = random.next() << 8 | random.next() >> 16;
    if (count > 1) {
        std::ifstream file(given[1], std::ios::binary);
        if (!file.read(reinterpret_cast<char*>(keys.data()), n * sizeof(unsigned))) return verdict(false, "file");
    }
    unsigned *from, *to;
    CHECK(cudaMalloc(&from, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&to, n * sizeof(unsigned)));
    CHECK(cudaMemcpy(from, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    const int bytes = (2 * TILE + 16 * WARPS) * sizeof(unsigned);
    int most = 0, blocks = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if (bytes > most) return verdict(false, "shared_sort: too little shared memory");
    sort_tiles<<<n / TILE, THREADS, bytes>>>(from);
    bool right = cudaGetLastError() == cudaErrorInvalidValue;  // more than 48 KiB have to be asked for
    CHECK(cudaFuncSetAttribute(sort_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CHECK(cudaFuncSetAttribute(sort_tiles, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sort_tiles, THREADS, bytes));
    cudaFuncAttributes about;
    CHECK(cudaFuncGetAttributes(&about, sort_tiles));
    right &= blocks == 1 && about.maxDynamicSharedSizeBytes == bytes && about.maxThreadsPerBlock == THREADS;
    Elapsed elapsed;
    sort_tiles<<<n / TILE, THREADS, bytes>>>(from);
    CHECK(cudaGetLastError());
    for (int run = TILE; run < n; run *= 2) {
        merge<<<n / 256, 256>>>(from, to, run);
        std::swap(from, to);
    }
    elapsed.print();
    CHECK(cudaMemcpy(result.data(), from, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::sort(keys.begin(), keys.end());
    digest("keys", result.data(), n * sizeof(unsigned));
    return verdict(right && result == keys, "shared_sort");
}
