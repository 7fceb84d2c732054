// In the manner of Rodinia's streamcluster: what a new centre would save, for candidate after candidate; pinned memory.
#include "../programs/check.h"
#include <cstring>
constexpr int N = 16384, DIM = 32, T = 512;
struct Point { float weight; long assign; float cost; };
__device__ float distance(int a, int b, const float* coord) {
    float sum = 0;
    for (int i = 0; i < DIM; ++i) { const float d = coord[i * N + a] - coord[i * N + b]; sum += d * d; }
    return sum;
}
__global__ void compute_cost(const Point* p, long x, int k, const float* coord, float* work, const int* table, bool* change) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float* lower = &work[i * (k + 1)];
    const float cost = distance(i, x, coord) * p[i].weight, now = p[i].cost;
    if (cost < now) {
        change[i] = true;
        lower[k] += cost - now;
    } else lower[table[p[i].assign]] += now - cost;
}
int main() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    Point *p, *dp; float *coord, *dcoord, *work, *dwork; int *table, *dtable; bool *change, *dchange;
    const int centers = 8;
    CHECK(cudaMallocHost((void**)&p, N * sizeof(Point)));
    CHECK(cudaHostAlloc((void**)&coord, N * DIM * 4, cudaHostAllocDefault));
    CHECK(cudaMallocHost((void**)&work, N * (centers + 1) * 4));
    CHECK(cudaMallocHost((void**)&table, N * 4)); CHECK(cudaMallocHost((void**)&change, N));
    CHECK(cudaMalloc(&dp, N * sizeof(Point))); CHECK(cudaMalloc(&dcoord, N * DIM * 4)); CHECK(cudaMalloc(&dwork, N * (centers + 1) * 4));
    CHECK(cudaMalloc(&dtable, N * 4)); CHECK(cudaMalloc(&dchange, N));
    Random random(11);
    for (int i = 0; i < N * DIM; ++i) coord[i] = random.real();
    memset(table, 0, N * 4);
    for (int c = 0; c < centers; ++c) table[c * 1000] = c;
    for (int i = 0; i < N; ++i) {
        float best = 1e30f; long who = 0;
        for (int c = 0; c < centers; ++c) {
            float sum = 0;
            for (int d = 0; d < DIM; ++d) { const float x = coord[d * N + i] - coord[d * N + c * 1000]; sum += x * x; }
            if (sum < best) best = sum, who = c * 1000;
        }
        p[i] = {1.0f + i % 3, who, best * (1.0f + i % 3)};
    }
    CHECK(cudaMemcpy(dcoord, coord, N * DIM * 4, cudaMemcpyHostToDevice));
    bool right = true;
    Elapsed elapsed;
    for (int round = 0; round < 20; ++round) {
        const long x = random.next() % N;
        CHECK(cudaMemcpy(dp, p, N * sizeof(Point), cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(dtable, table, N * 4, cudaMemcpyHostToDevice));
        CHECK(cudaMemset(dchange, 0, N)); CHECK(cudaMemset(dwork, 0, N * (centers + 1) * 4));
        compute_cost<<<(N + T - 1) / T, T>>>(dp, x, centers, dcoord, dwork, dtable, dchange);
        CHECK(cudaMemcpy(work, dwork, N * (centers + 1) * 4, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(change, dchange, N, cudaMemcpyDeviceToHost));
        double save = 0, want = 0;
        for (int i = 0; i < N; ++i) {
            float sum = 0;
            for (int d = 0; d < DIM; ++d) { const float v = coord[d * N + i] - coord[d * N + x]; sum += v * v; }
            want += fabs(sum * p[i].weight - p[i].cost);
            for (int c = 0; c <= centers; ++c) save += fabs(work[i * (centers + 1) + c]);
            if (change[i]) p[i].cost = sum * p[i].weight;
        }
        right = right && near(save, want, 1e-5);
    }
    elapsed.print();
    CHECK(cudaFreeHost(p)); CHECK(cudaFreeHost(coord));
    return verdict(right, "streamcluster");
}
