// Breadth-first levels of a graph in one cooperative launch: queues by atomics, all blocks meet after each level.
#include <cooperative_groups.h>

#include <algorithm>

#include "digest.h"

namespace cg = cooperative_groups;

struct Queues {
    int* own;
    int* next;
    int* counts;  // of this level and of the next
};

__global__ void levels(const int* first, const int* targets, int* level, Queues queues, int* rounds) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    int depth = 0;
    while (queues.counts[depth % 2] > 0) {
        const int size = queues.counts[depth % 2];
        for (int i = grid.thread_rank() / 32; i < size; i += grid.size() / 32) {
            const int vertex = queues.own[i];
            for (int edge = first[vertex] + warp.thread_rank(); edge < first[vertex + 1]; edge += 32)
                if (atomicCAS(&level[targets[edge]], -1, depth + 1) == -1) {
                    const cg::coalesced_group group = cg::coalesced_threads();
                    int place = 0;
                    if (group.thread_rank() == 0) place = atomicAdd(&queues.counts[(depth + 1) % 2], group.size());
                    queues.next[group.shfl(place, 0) + group.thread_rank()] = targets[edge];
                }
        }
        grid.sync();
        if (grid.thread_rank() == 0) {
            queues.counts[depth % 2] = 0;
            *rounds = depth;
        }
        int* other = queues.own;
        queues.own = queues.next;
        queues.next = other;
        ++depth;
        grid.sync();
    }
}

int main(int count, char** given) {
    const int n = count > 1 ? atoi(given[1]) : 60000, degree = 6;
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    if (!device.cooperativeLaunch) return verdict(false, "grid_levels: no cooperative launch");
    Random random(5);
    std::vector<int> first(n + 1), targets;
    for (int i = 0; i < n; ++i) {
        first[i] = targets.size();
        const int own = random.next() % (2 * degree) + (i % 1000 == 0 ? 300 : 0);
        for (int edge = 0; edge < own; ++edge) targets.push_back((i + random.next() % (n / 20)) % n);
    }
    first[n] = targets.size();
    std::vector<int> level(n, -1), expected(n, -1);
    level[0] = expected[0] = 0;
    int *d_first, *d_targets, *d_level, *d_rounds, zero[3] = {1, 0, 0};
    Queues queues;
    CHECK(cudaMalloc(&d_first, first.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_targets, targets.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_level, n * sizeof(int)));
    CHECK(cudaMalloc(&queues.own, n * sizeof(int)));
    CHECK(cudaMalloc(&queues.next, n * sizeof(int)));
    CHECK(cudaMalloc(&queues.counts, 3 * sizeof(int)));
    d_rounds = queues.counts + 2;
    CHECK(cudaMemcpy(d_first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_targets, targets.data(), targets.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(queues.own, 0, sizeof(int)));
    CHECK(cudaMemcpy(queues.counts, zero, sizeof zero, cudaMemcpyHostToDevice));
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, levels, 256, 0));
    blocks = std::min(blocks, 2) * device.multiProcessorCount;
    void* arguments[] = {&d_first, &d_targets, &d_level, &queues, &d_rounds};
    Elapsed elapsed;
    CHECK(cudaLaunchCooperativeKernel(levels, blocks, 256, arguments, 0, 0));
    elapsed.print();
    CHECK(cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> queue = {0};
    for (size_t at = 0; at < queue.size(); ++at)
        for (int edge = first[queue[at]]; edge < first[queue[at] + 1]; ++edge)
            if (expected[targets[edge]] < 0) {
                expected[targets[edge]] = expected[queue[at]] + 1;
                queue.push_back(targets[edge]);
            }
    digest("levels", level.data(), n * sizeof(int));
    return verdict(level == expected, "grid_levels");
}
