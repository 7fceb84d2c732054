// In the manner of CUDA's binaryPartitionCG, warpAggregatedAtomicsCG, simpleVoteIntrinsics and shfl_scan.
#include "../programs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
constexpr int N = 1 << 18;
__global__ void odd_even(const int* in, int* odd, int* sum_odd, int* sum_even, unsigned n) {
    cg::thread_block cta = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
        const int value = in[i];
        auto half = cg::binary_partition(tile, bool(value & 1));
        if (value & 1) {
            const int sum = cg::reduce(half, value, cg::plus<int>());
            if (half.thread_rank() == 0) { atomicAdd(odd, half.size()); atomicAdd(sum_odd, sum); }
        } else {
            const int sum = cg::reduce(half, value, cg::plus<int>());
            if (half.thread_rank() == 0) atomicAdd(sum_even, sum);
        }
        cg::sync(tile);
    }
}
__device__ int aggregated(int* counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(counter, active.size());
    return active.shfl(base, 0) + active.thread_rank();
}
__global__ void filter(int* out, int* count, const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 25) out[aggregated(count)] = in[i];
}
__global__ void buckets(const int* in, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, bucket = in[i] % 7;
    auto same = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), bucket);
    if (same.thread_rank() == 0) atomicAdd(&counts[bucket], same.num_threads());
    const unsigned peers = __match_any_sync(~0u, bucket);
    int every = 0;
    const unsigned all = __match_all_sync(~0u, bucket, &every);
    if (__popc(peers) != int(same.num_threads()) || (every && all != ~0u)) atomicAdd(&counts[7], 1);
    if (__any_sync(~0u, bucket == 6) != (__ballot_sync(~0u, bucket == 6) != 0) || __all_sync(~0u, bucket < 7) == 0) atomicAdd(&counts[7], 1);
    if (__reduce_max_sync(~0u, unsigned(in[i])) > 49u || __reduce_add_sync(~0u, 1u) != 32u) atomicAdd(&counts[7], 1);
}
__global__ void scans(const int* in, int* inclusive, int* exclusive) {
    cg::thread_block cta = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(cta);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    inclusive[i] = cg::inclusive_scan(tile, in[i], cg::plus<int>());
    exclusive[i] = cg::exclusive_scan(tile, in[i], [](int a, int b) { return max(a, b); });
    cg::invoke_one(tile, [&] { atomicXor(&inclusive[N], 1); });
}
int main() {
    int *in, *out, *inclusive, *exclusive, *small;
    CHECK(cudaMallocManaged(&in, N * 4)); CHECK(cudaMallocManaged(&out, N * 4));
    CHECK(cudaMallocManaged(&inclusive, (N + 1) * 4)); CHECK(cudaMallocManaged(&exclusive, N * 4)); CHECK(cudaMallocManaged(&small, 16 * 4));
    Random random(37);
    int odd = 0, sums[2] = {0, 0}, above = 0, seven[7] = {};
    for (int i = 0; i < N; ++i) {
        in[i] = random.next() % 50;
        odd += in[i] & 1, sums[in[i] & 1] += in[i], above += in[i] > 25, ++seven[in[i] % 7];
    }
    for (int i = 0; i < 16; ++i) small[i] = 0;
    inclusive[N] = 0;
    int blocks = 0, least = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &blocks, odd_even));
    Elapsed elapsed;
    odd_even<<<least, blocks>>>(in, small, small + 1, small + 2, N);
    filter<<<N / 512, 512>>>(out, small + 3, in, N);
    buckets<<<N / 256, 256>>>(in, small + 4);
    scans<<<N / 256, 256>>>(in, inclusive, exclusive);
    elapsed.print();
    CHECK(cudaDeviceSynchronize());
    bool right = small[0] == odd && small[1] == sums[1] && small[2] == sums[0] && small[3] == above && small[11] == 0;
    for (int k = 0; k < 7; ++k) right = right && small[4 + k] == seven[k];
    for (int i = 0; i < small[3]; ++i) right = right && out[i] > 25;
    int sum = 0, most = 0;
    for (int i = 0; i < N; ++i) {
        if (i % 16 == 0) sum = 0, most = 0;
        right = right && exclusive[i] == most;
        sum += in[i], most = std::max(most, in[i]);
        right = right && inclusive[i] == sum;
    }
    return verdict(right, "partitions_cg");
}
