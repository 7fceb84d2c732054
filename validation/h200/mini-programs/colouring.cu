// Graphs: colouring by random weights, a maximal independent set, PageRank with gathered sums, and connected components with hooks
// and shortcuts; each repeats until a flag that the host reads says that nothing changed.
#include "../user-programs/digest.h"
#include <algorithm>
#include <set>

struct Graph { int n; int *first, *to; };

__device__ __host__ inline unsigned weight(unsigned v) {
    v ^= v >> 16, v *= 0x7feb352du, v ^= v >> 15, v *= 0x846ca68bu;
    return v ^ v >> 16;
}
__global__ void colour(Graph g, int round, int* colours, int* left) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n || colours[v] >= 0) return;
    bool most = true, least = true;
    const unsigned own = weight(v);
    for (int k = g.first[v]; k < g.first[v + 1]; ++k) {
        const int u = g.to[k], c = colours[u];
        if (c >= 0 && c != 2 * round && c != 2 * round + 1) continue;
        most = most && (weight(u) < own || (weight(u) == own && u < v));
        least = least && (weight(u) > own || (weight(u) == own && u > v));
    }
    if (most) colours[v] = 2 * round;
    else if (least) colours[v] = 2 * round + 1;
    else *left = 1;
}
__global__ void independent(Graph g, volatile char* in, int* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n || in[v]) return;
    bool first = true;
    for (int k = g.first[v]; first && k < g.first[v + 1]; ++k) {
        const int u = g.to[k];
        if (in[u] == 1) { in[v] = 2; *changed = 1; return; }
        first = in[u] == 2 || weight(u) < weight(v) || (weight(u) == weight(v) && u < v);
    }
    if (first) in[v] = 1;
    *changed = 1;
}
__global__ void shares(Graph g, const float* rank, float* share) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < g.n) share[v] = rank[v] / max(1, g.first[v + 1] - g.first[v]);
}
__global__ void gather(Graph g, const float* share, float* rank, float* change) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= g.n) return;
    float sum = 0;
    for (int k = g.first[warp] + lane; k < g.first[warp + 1]; k += 32) sum += share[g.to[k]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane > 0) return;
    const float now = 0.15f / g.n + 0.85f * sum;
    atomicAdd(change, fabsf(now - rank[warp]));
    rank[warp] = now;
}
__global__ void hook(Graph g, int* parent, int* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n) return;
    for (int k = g.first[v]; k < g.first[v + 1]; ++k) {
        const int a = parent[v], b = parent[g.to[k]];
        if (b < a) atomicMin(&parent[a], b), *changed = 1;
    }
}
__global__ void shortcut(int n, int* parent) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int p = parent[v];
    while (p != parent[p]) p = parent[p];
    parent[v] = p;
}
int main() {
    const int n = 60000;
    Random random(12);
    std::vector<std::vector<int>> lists(n);
    for (int v = 0; v < n; ++v)
        for (int k = 0; k < 5; ++k) {
            const int u = random.next() % 4 ? random.next() % n : random.next() % (n / 64);  // some have many
            if (u == v || u % 3 != v % 3) continue;                                        // three components and more
            lists[v].push_back(u), lists[u].push_back(v);
        }
    std::vector<int> first(n + 1, 0), to;
    for (int v = 0; v < n; ++v) {
        std::sort(lists[v].begin(), lists[v].end());
        lists[v].erase(std::unique(lists[v].begin(), lists[v].end()), lists[v].end());
        to.insert(to.end(), lists[v].begin(), lists[v].end());
        first[v + 1] = to.size();
    }
    Graph g = {n};
    int *colours, *flag, *parent;
    char* in;
    float *rank, *share, *change;
    CHECK(cudaMalloc(&g.first, (n + 1) * 4));
    CHECK(cudaMalloc(&g.to, to.size() * 4));
    CHECK(cudaMemcpy(g.first, first.data(), (n + 1) * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(g.to, to.data(), to.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&colours, n * 4));
    CHECK(cudaMemset(colours, 0xff, n * 4));
    CHECK(cudaMalloc(&flag, 4));
    CHECK(cudaMalloc(&in, n));
    CHECK(cudaMemset(in, 0, n));
    CHECK(cudaMalloc(&rank, n * 4));
    CHECK(cudaMalloc(&share, n * 4));
    CHECK(cudaMalloc(&change, 4));
    CHECK(cudaMalloc(&parent, n * 4));
    std::vector<float> even(n, 1.0f / n);
    std::vector<int> own(n), c(n), p(n);
    std::vector<char> chosen(n);
    for (int v = 0; v < n; ++v) own[v] = v;
    CHECK(cudaMemcpy(rank, even.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(parent, own.data(), n * 4, cudaMemcpyHostToDevice));
    const int grid = (n + 255) / 256;
    auto again = [&](auto launch) {
        int set = 0;
        CHECK(cudaMemset(flag, 0, 4));
        launch();
        CHECK(cudaMemcpy(&set, flag, 4, cudaMemcpyDeviceToHost));
        return set != 0;
    };
    Elapsed elapsed;
    int rounds = 0, mis = 0, hooks = 0;
    while (again([&] { colour<<<grid, 256>>>(g, rounds, colours, flag); }) && rounds < 200) ++rounds;
    while (again([&] { independent<<<grid, 256>>>(g, in, flag); }) && mis < 200) ++mis;
    float moved = 1;
    int steps = 0;
    for (; steps < 12 && moved > 1e-4f; ++steps) {
        CHECK(cudaMemset(change, 0, 4));
        shares<<<grid, 256>>>(g, rank, share);
        gather<<<(n + 7) / 8, 256>>>(g, share, rank, change);
        CHECK(cudaMemcpy(&moved, change, 4, cudaMemcpyDeviceToHost));
    }
    while (again([&] { hook<<<grid, 256>>>(g, parent, flag); shortcut<<<grid, 256>>>(n, parent); }) && hooks < 100) ++hooks;
    elapsed.print();
    CHECK(cudaMemcpy(c.data(), colours, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(chosen.data(), in, n, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(p.data(), parent, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(even.data(), rank, n * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    double total = 0;
    for (int v = 0; v < n; ++v) {
        bool near_chosen = chosen[v] == 1;
        for (int k = first[v]; k < first[v + 1]; ++k) {
            right = right && c[v] != c[to[k]] && p[v] == p[to[k]] && !(chosen[v] == 1 && chosen[to[k]] == 1);
            near_chosen = near_chosen || chosen[to[k]] == 1;
        }
        right = right && c[v] >= 0 && near_chosen;
        total += even[v];
    }
    printf("rounds %d, set %d, steps %d, hooks %d, rank %.3f\n", rounds, mis, steps, hooks, total);
    digest("components", p.data(), n * 4);
    digest("set", chosen.data(), n);
    return verdict(right, "colouring");
}
