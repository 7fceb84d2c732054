// Bellman-Ford with a list of active vertices, and PageRank, on a graph in compressed rows, as in GPU graph suites.
#include "../programs/check.h"
constexpr int N = 40000;
__global__ void relax(const int* row, const int* to, const int* weight, unsigned* distance, const int* active, int count, int* next, int* more, int* mark, int round) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int v = active[i];
    const unsigned own = distance[v];
    for (int e = row[v]; e < row[v + 1]; ++e) {
        const unsigned new_distance = own + weight[e];
        if (new_distance < atomicMin(distance + to[e], new_distance) && atomicExch(mark + to[e], round) != round) next[atomicAdd(more, 1)] = to[e];
    }
}
__global__ void rank(const int* row, const int* to, const float* from, float* out, const int* degree) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= N) return;
    float sum = 0;
    for (int e = row[warp] + lane; e < row[warp + 1]; e += 32) sum += from[to[e]] / degree[to[e]];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) out[warp] = 0.15f / N + 0.85f * sum;
}
int main() {
    Random random(12);
    std::vector<int> row(N + 1), to, weight, degree(N);
    for (int v = 0; v < N; ++v) {
        const int count = 2 + random.next() % 12 + (random.next() % 200 == 0 ? 300 : 0);
        for (int k = 0; k < count; ++k) to.push_back(random.next() % N), weight.push_back(1 + random.next() % 50);
        row[v + 1] = to.size(), degree[v] = count;
    }
    int *r, *t, *w, *g, *lists[2], *more, *mark; unsigned* dist; float* ranks[2];
    const int E = to.size();
    CHECK(cudaMalloc(&r, 4 * N + 4)); CHECK(cudaMalloc(&t, 4 * E)); CHECK(cudaMalloc(&w, 4 * E)); CHECK(cudaMalloc(&g, 4 * N));
    for (auto& p : lists) CHECK(cudaMalloc(&p, 4 * N));
    for (auto& p : ranks) CHECK(cudaMalloc(&p, 4 * N));
    CHECK(cudaMalloc(&more, 4)); CHECK(cudaMalloc(&mark, 4 * N)); CHECK(cudaMalloc(&dist, 4 * N));
    CHECK(cudaMemcpy(r, row.data(), 4 * N + 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(t, to.data(), 4 * E, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(w, weight.data(), 4 * E, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(g, degree.data(), 4 * N, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dist, 0x7f, 4 * N)); CHECK(cudaMemset(mark, 0, 4 * N));
    const int zero = 0;
    CHECK(cudaMemcpy(dist, &zero, 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(lists[0], &zero, 4, cudaMemcpyHostToDevice));
    int count = 1;
    Elapsed elapsed;
    for (int round = 1; count; ++round) {
        CHECK(cudaMemset(more, 0, 4));
        relax<<<(count + 127) / 128, 128>>>(r, t, w, dist, lists[~round & 1], count, lists[round & 1], more, mark, round);
        CHECK(cudaMemcpy(&count, more, 4, cudaMemcpyDeviceToHost));
    }
    std::vector<float> ranked(N, 1.0f / N), other(N);
    CHECK(cudaMemcpy(ranks[0], ranked.data(), 4 * N, cudaMemcpyHostToDevice));
    for (int k = 0; k < 6; ++k) rank<<<(N + 7) / 8, 256>>>(r, t, ranks[k & 1], ranks[~k & 1], g);
    elapsed.print();
    std::vector<unsigned> got(N), want(N, 0x7f7f7f7f);
    std::vector<float> got_ranks(N);
    CHECK(cudaMemcpy(got.data(), dist, 4 * N, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(got_ranks.data(), ranks[0], 4 * N, cudaMemcpyDeviceToHost));
    want[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int v = 0; v < N; ++v)
            if (want[v] != 0x7f7f7f7f)
                for (int e = row[v]; e < row[v + 1]; ++e)
                    if (want[v] + weight[e] < want[to[e]]) want[to[e]] = want[v] + weight[e], changed = true;
    }
    for (int k = 0; k < 6; ++k, ranked.swap(other))
        for (int v = 0; v < N; ++v) {
            double sum = 0;
            for (int e = row[v]; e < row[v + 1]; ++e) sum += ranked[to[e]] / degree[to[e]];
            other[v] = 0.15f / N + 0.85f * sum;
        }
    bool right = got == want;
    for (int v = 0; v < N; ++v) right = right && near(ranked[v], got_ranks[v], 1e-3);
    return verdict(right, "shortest_paths");
}
