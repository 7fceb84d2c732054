// CUB inside of kernels: sort of a block's keys, running sums of a block, sums of warps, loads and stores transposed.
#include <cub/cub.cuh>
#include <algorithm>
#include "../programs/check.h"
constexpr int threads = 128, items = 8, tile = threads * items;
__global__ void sort_tiles(const float* in, float* out) {
    using Load = cub::BlockLoad<float, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<float, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<float, threads, items>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Sort::TempStorage sort;
    } shared;
    float keys[items];
    Load(shared.load).Load(in + blockIdx.x * tile, keys);
    __syncthreads();
    Sort(shared.sort).Sort(keys);
    __syncthreads();
    Store(shared.store).Store(out + blockIdx.x * tile, keys);
}
__global__ void scan_tiles(const int* in, int* out, int* totals) {
    using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage shared;
    int values[items], total;
    for (int k = 0; k < items; ++k) values[k] = in[blockIdx.x * tile + threadIdx.x * items + k];
    Scan(shared).InclusiveSum(values, values, total);
    for (int k = 0; k < items; ++k) out[blockIdx.x * tile + threadIdx.x * items + k] = values[k];
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}
__global__ void warp_extremes(const int* in, int* most, int* sums) {
    using Reduce = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage shared[threads / 32];
    const int warp = threadIdx.x / 32, at = blockIdx.x * threads + threadIdx.x;
    const int sum = Reduce(shared[warp]).Sum(in[at]);
    __syncwarp();
    const int high = Reduce(shared[warp]).Reduce(in[at], cuda::maximum<>{});
    if (threadIdx.x % 32 == 0) most[at / 32] = high, sums[at / 32] = sum;
}
int main() {
    const int tiles = 512, n = tiles * tile;
    std::vector<float> keys(n), sorted(n);
    std::vector<int> data(n), running(n), totals(tiles), most(n / 32), sums(n / 32);
    Random random(77);
    for (int i = 0; i < n; ++i) keys[i] = random.real() - 0.5f, data[i] = random.next() % 1000;
    float *in, *out;
    int *idata, *iout, *itotals, *imost, *isums;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&idata, n * 4));
    CHECK(cudaMalloc(&iout, n * 4));
    CHECK(cudaMalloc(&itotals, tiles * 4));
    CHECK(cudaMalloc(&imost, n / 8));
    CHECK(cudaMalloc(&isums, n / 8));
    CHECK(cudaMemcpy(in, keys.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(idata, data.data(), n * 4, cudaMemcpyHostToDevice));
    sort_tiles<<<tiles, threads>>>(in, out);
    scan_tiles<<<tiles, threads>>>(idata, iout, itotals);
    warp_extremes<<<n / threads, threads>>>(idata, imost, isums);
    CHECK(cudaMemcpy(sorted.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(running.data(), iout, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(totals.data(), itotals, tiles * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(most.data(), imost, n / 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums.data(), isums, n / 8, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int t = 0; t < tiles; ++t) {
        std::sort(keys.begin() + t * tile, keys.begin() + (t + 1) * tile);
        int sum = 0;
        for (int i = t * tile; i < (t + 1) * tile; ++i) {
            sum += data[i];
            right = right && running[i] == sum;
        }
        right = right && totals[t] == sum;
    }
    for (int w = 0; w < n / 32; ++w) {
        int sum = 0, high = 0;
        for (int l = 0; l < 32; ++l) sum += data[w * 32 + l], high = std::max(high, data[w * 32 + l]);
        right = right && most[w] == high && sums[w] == sum;
    }
    return verdict(right && keys == sorted, "cub_block");
}
