// In the manner of Rodinia's pathfinder: the cheapest way through a grid, row by row, with halos recomputed.
#include "../programs/check.h"
constexpr int width = 256;
__global__ void rows(const int* wall, const int* from, int* to, int n, int first, int count) {
    __shared__ int before[width], now[width];
    const int t = threadIdx.x, x = blockIdx.x * (width - 2 * count) - count + t;
    const int at = min(max(x, 0), n - 1);
    before[t] = from[at];
    __syncthreads();
    for (int r = 0; r < count; ++r) {
        const bool valid = t > r && t < width - 1 - r && x >= 0 && x < n;
        if (valid) {
            const int left = x > 0 ? before[t - 1] : before[t], right = x < n - 1 ? before[t + 1] : before[t];
            now[t] = min(min(left, right), before[t]) + wall[(first + r) * n + x];
        }
        __syncthreads();
        if (valid) before[t] = now[t];
        __syncthreads();
    }
    if (t >= count && t < width - count && x < n) to[x] = before[t];
}
int main() {
    const int n = 100000, height = 61, step = 20;
    std::vector<int> wall(n * height), best(n), next(n), got(n);
    Random random(12);
    for (int& w : wall) w = random.next() % 10;
    int *w, *a, *b;
    CHECK(cudaMalloc(&w, wall.size() * 4));
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMemcpy(w, wall.data(), wall.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(a, wall.data(), n * 4, cudaMemcpyHostToDevice));
    const int inner = width - 2 * step;
    for (int r = 1; r < height; r += step, std::swap(a, b))
        rows<<<(n + inner - 1) / inner, width>>>(w, a, b, n, r, std::min(step, height - r));
    CHECK(cudaMemcpy(got.data(), a, n * 4, cudaMemcpyDeviceToHost));
    best.assign(wall.begin(), wall.begin() + n);
    for (int r = 1; r < height; ++r, best.swap(next))
        for (int x = 0; x < n; ++x)
            next[x] = std::min(std::min(best[x ? x - 1 : 0], best[x < n - 1 ? x + 1 : x]), best[x]) + wall[r * n + x];
    return verdict(got == best, "pathfinder");
}
