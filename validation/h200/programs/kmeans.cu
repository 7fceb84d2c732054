// Clusters of points: assignment on the device, sums by atomics on integers, centres by the host.
#include "check.h"
const int clusters = 16, dimensions = 4;
__constant__ int centres[clusters * dimensions];
__global__ void assign(const int* points, int n, int* member, unsigned long long* sums, unsigned* counts, unsigned* moved) {
    __shared__ unsigned long long own[clusters * dimensions];
    __shared__ unsigned own_counts[clusters];
    for (int i = threadIdx.x; i < clusters * dimensions; i += blockDim.x) own[i] = 0;
    if (threadIdx.x < clusters) own_counts[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = 0;
        long long least = 1ll << 62;
        for (int c = 0; c < clusters; ++c) {
            long long sum = 0;
            for (int d = 0; d < dimensions; ++d) {
                long long apart = points[d * n + i] - centres[c * dimensions + d];
                sum += apart * apart;
            }
            if (sum < least) least = sum, best = c;
        }
        if (member[i] != best) atomicAdd(moved, 1u);
        member[i] = best;
        for (int d = 0; d < dimensions; ++d) atomicAdd(&own[best * dimensions + d], static_cast<unsigned long long>(points[d * n + i]));
        atomicAdd(&own_counts[best], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < clusters * dimensions; k += blockDim.x) atomicAdd(&sums[k], own[k]);
    if (threadIdx.x < clusters) atomicAdd(&counts[threadIdx.x], own_counts[threadIdx.x]);
}
int main() {
    const int n = 1 << 17;
    std::vector<int> points(dimensions * n), centre(clusters * dimensions), member(n, -1), got(n);
    Random random(29);
    for (int& v : points) v = random.next() % 10000;
    for (int c = 0; c < clusters; ++c)
        for (int d = 0; d < dimensions; ++d) centre[c * dimensions + d] = points[d * n + c];
    std::vector<int> first = centre;
    int *dp, *dm;
    unsigned long long* ds;
    unsigned *dc, *dmoved;
    CHECK(cudaMalloc(&dp, points.size() * 4));
    CHECK(cudaMalloc(&dm, n * 4));
    CHECK(cudaMalloc(&ds, clusters * dimensions * 8));
    CHECK(cudaMalloc(&dc, clusters * 4));
    CHECK(cudaMalloc(&dmoved, 4));
    CHECK(cudaMemcpy(dp, points.data(), points.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dm, member.data(), n * 4, cudaMemcpyHostToDevice));
    const int rounds = 6;
    unsigned moved = 0, host_moved = 0;
    Elapsed time;
    for (int round = 0; round < rounds; ++round) {
        CHECK(cudaMemcpyToSymbol(centres, centre.data(), centre.size() * 4));
        CHECK(cudaMemset(ds, 0, clusters * dimensions * 8));
        CHECK(cudaMemset(dc, 0, clusters * 4));
        CHECK(cudaMemset(dmoved, 0, 4));
        assign<<<(n + 255) / 256, 256>>>(dp, n, dm, ds, dc, dmoved);
        unsigned long long sums[clusters * dimensions];
        unsigned counts[clusters];
        CHECK(cudaMemcpy(sums, ds, sizeof sums, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(counts, dc, sizeof counts, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&moved, dmoved, 4, cudaMemcpyDeviceToHost));
        for (int k = 0; k < clusters * dimensions; ++k)
            if (counts[k / dimensions]) centre[k] = static_cast<int>(sums[k] / counts[k / dimensions]);
    }
    time.print();
    CHECK(cudaMemcpy(got.data(), dm, n * 4, cudaMemcpyDeviceToHost));
    for (int round = 0; round < rounds; ++round) {
        unsigned long long sums[clusters * dimensions] = {}, counts[clusters] = {};
        host_moved = 0;
        for (int i = 0; i < n; ++i) {
            int best = 0;
            long long least = 1ll << 62;
            for (int c = 0; c < clusters; ++c) {
                long long sum = 0;
                for (int d = 0; d < dimensions; ++d) {
                    long long apart = points[d * n + i] - first[c * dimensions + d];
                    sum += apart * apart;
                }
                if (sum < least) least = sum, best = c;
            }
            host_moved += member[i] != best;
            member[i] = best;
            for (int d = 0; d < dimensions; ++d) sums[best * dimensions + d] += points[d * n + i];
            ++counts[best];
        }
        for (int k = 0; k < clusters * dimensions; ++k)
            if (counts[k / dimensions]) first[k] = static_cast<int>(sums[k] / counts[k / dimensions]);
    }
    return verdict(got == member && moved == host_moved && centre == first, "kmeans");
}
