// Alignment of two sequences by anti-diagonals of tiles: a launch for each, of growing and shrinking grids.
#include <algorithm>
#include "check.h"
const int tile = 32;
__global__ void diagonal(int* score, const int* reference, int columns, int penalty, int index, int lower) {
    __shared__ int part[tile + 1][tile + 1];
    int bx = lower ? blockIdx.x + index : blockIdx.x, by = lower ? columns / tile - 1 - blockIdx.x : index - blockIdx.x;
    int width = columns + 1, base = by * tile * width + bx * tile, t = threadIdx.x;
    if (t == 0) part[0][0] = score[base];
    part[t + 1][0] = score[base + (t + 1) * width];
    part[0][t + 1] = score[base + t + 1];
    __syncthreads();
    for (int d = 0; d < 2 * tile - 1; ++d) {
        int x = d < tile ? t + 1 : t + d - tile + 2, y = d + 2 - x;
        if ((d < tile && t <= d) || (d >= tile && t < 2 * tile - 1 - d))
            part[y][x] = max(max(part[y - 1][x - 1] + reference[base + y * width + x], part[y][x - 1] - penalty), part[y - 1][x] - penalty);
        __syncthreads();
    }
    for (int y = 0; y < tile; ++y) score[base + (y + 1) * width + t + 1] = part[y + 1][t + 1];
}
int main() {
    const int n = 1024, width = n + 1, penalty = 10, tiles = n / tile;
    std::vector<int> reference(width * width), score(width * width, 0), got(width * width);
    Random random(23);
    for (int& v : reference) v = static_cast<int>(random.next() % 21) - 10;
    for (int i = 1; i <= n; ++i) score[i * width] = score[i] = -i * penalty;
    int *ds, *dr;
    CHECK(cudaMalloc(&ds, width * width * 4));
    CHECK(cudaMalloc(&dr, width * width * 4));
    CHECK(cudaMemcpy(ds, score.data(), width * width * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dr, reference.data(), width * width * 4, cudaMemcpyHostToDevice));
    Elapsed time;
    for (int i = 0; i < tiles; ++i) diagonal<<<i + 1, tile>>>(ds, dr, n, penalty, i, 0);
    for (int i = 1; i < tiles; ++i) diagonal<<<tiles - i, tile>>>(ds, dr, n, penalty, i, 1);
    time.print();
    CHECK(cudaMemcpy(got.data(), ds, width * width * 4, cudaMemcpyDeviceToHost));
    for (int y = 1; y <= n; ++y)
        for (int x = 1; x <= n; ++x)
            score[y * width + x] = std::max({score[(y - 1) * width + x - 1] + reference[y * width + x],
                                             score[y * width + x - 1] - penalty, score[(y - 1) * width + x] - penalty});
    return verdict(got == score, "needle");
}
