// Breadth-first search by levels over a random graph; a flag says whether a level reached new vertices.
#include "check.h"
__global__ void level(const int* starts, const int* edges, int* distance, int depth, int n, int* more) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || distance[v] != depth) return;
    for (int e = starts[v]; e < starts[v + 1]; ++e)
        if (distance[edges[e]] < 0) {
            distance[edges[e]] = depth + 1;
            *more = 1;
        }
}
int main() {
    const int n = 1 << 18, degree = 6;
    Random random(7);
    std::vector<int> starts(n + 1), edges, distance(n, -1), got(n), queue{0};
    for (int v = 0; v < n; ++v) {
        starts[v] = static_cast<int>(edges.size());
        int count = random.next() % (2 * degree) + 1;
        for (int e = 0; e < count; ++e) edges.push_back(random.next() % n);
    }
    starts[n] = static_cast<int>(edges.size());
    distance[0] = 0;
    int *ds, *de, *dd, *flag, more = 1, depth = 0;
    CHECK(cudaMalloc(&ds, (n + 1) * 4));
    CHECK(cudaMalloc(&de, edges.size() * 4));
    CHECK(cudaMalloc(&dd, n * 4));
    CHECK(cudaMalloc(&flag, 4));
    CHECK(cudaMemcpy(ds, starts.data(), (n + 1) * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(de, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dd, distance.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed time;
    while (more) {
        CHECK(cudaMemset(flag, 0, 4));
        level<<<(n + 255) / 256, 256>>>(ds, de, dd, depth++, n, flag);
        CHECK(cudaMemcpy(&more, flag, 4, cudaMemcpyDeviceToHost));
    }
    time.print();
    CHECK(cudaMemcpy(got.data(), dd, n * 4, cudaMemcpyDeviceToHost));
    for (size_t at = 0; at < queue.size(); ++at)
        for (int e = starts[queue[at]]; e < starts[queue[at] + 1]; ++e)
            if (distance[edges[e]] < 0) distance[edges[e]] = distance[queue[at]] + 1, queue.push_back(edges[e]);
    printf("levels %d\n", depth);
    return verdict(got == distance, "bfs_levels");
}
