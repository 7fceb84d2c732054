// Local alignment of pairs of sequences with affine gaps, a warp for each pair: 32 rows at a time go diagonally through the columns,
// values pass from lane to lane by shuffles; then global alignment by tiles of 32x32, one wave of blocks after the other.
#include <algorithm>

#include "../user-programs/digest.h"

const int PAIRS = 768, LONG = 192, SIDE = 1024, OPEN = 5, EXTEND = 1, GAP = 3;
__constant__ signed char scores[4][4];

__global__ void local(const unsigned char* a, const unsigned char* b, int* best) {
    __shared__ short tops[4][LONG], gaps[4][LONG];
    __shared__ unsigned char other[4][LONG];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, pair = blockIdx.x * 4 + warp;
    for (int k = lane; k < LONG; k += 32) tops[warp][k] = 0, gaps[warp][k] = -OPEN, other[warp][k] = b[pair * LONG + k];
    __syncwarp();
    int most = 0;
    for (int first = 0; first < LONG; first += 32) {
        const int letter = a[pair * LONG + first + lane];
        int left = 0, across = -OPEN, corner = 0, value = 0, down = -OPEN;
        for (int step = 0; step < LONG + 31; ++step) {
            const int column = step - lane;
            int above = __shfl_up_sync(~0u, value, 1), above_gap = __shfl_up_sync(~0u, down, 1);
            if (column >= 0 && column < LONG) {
                if (lane == 0) above = tops[warp][column], above_gap = gaps[warp][column];
                down = max(above - OPEN, above_gap - EXTEND);
                across = max(left - OPEN, across - EXTEND);
                value = max(max(0, corner + scores[letter][other[warp][column]]), max(down, across));
                corner = above, left = value, most = max(most, value);
                if (lane == 31) tops[warp][column] = value, gaps[warp][column] = down;
            }
            __syncwarp();
        }
    }
    for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_down_sync(~0u, most, step));
    if (lane == 0) best[pair] = most;
}
// One diagonal of tiles; `table` has a row and a column more than the sequences.
__global__ void tiles(const unsigned char* a, const unsigned char* b, int* table, int diagonal) {
    __shared__ int own[33][33];
    const int first = max(0, diagonal - SIDE / 32 + 1), row = (diagonal - first - blockIdx.x) * 32, column = (first + blockIdx.x) * 32;
    const int lane = threadIdx.x, pitch = SIDE + 1;
    own[0][lane + 1] = table[row * pitch + column + lane + 1];
    own[lane + 1][0] = table[(row + lane + 1) * pitch + column];
    if (lane == 0) own[0][0] = table[row * pitch + column];
    const int letter = a[row + lane];
    __syncthreads();
    for (int step = 0; step < 63; ++step) {
        const int j = step - lane;
        if (j >= 0 && j < 32) {
            const int fits = own[lane][j] + scores[letter][b[column + j]];
            own[lane + 1][j + 1] = max(fits, max(own[lane][j + 1], own[lane + 1][j]) - GAP);
        }
        __syncthreads();
    }
    for (int k = 1; k <= 32; ++k) table[(row + k) * pitch + column + lane + 1] = own[k][lane + 1];
}
__global__ void edges(int* table) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k <= SIDE) table[k] = -GAP * k, table[k * (SIDE + 1)] = -GAP * k;
}
// The way back, by one thread.
__global__ void path(const unsigned char* a, const unsigned char* b, const int* table, int* counts) {
    int i = SIDE, j = SIDE, same = 0, gaps = 0, steps = 0;
    while (i > 0 && j > 0) {
        const int here = table[i * (SIDE + 1) + j];
        if (here == table[(i - 1) * (SIDE + 1) + j - 1] + scores[a[i - 1]][b[j - 1]]) same += a[i - 1] == b[j - 1], --i, --j;
        else if (here == table[(i - 1) * (SIDE + 1) + j] - GAP) ++gaps, --i;
        else ++gaps, --j;
        ++steps;
    }
    counts[0] = same, counts[1] = gaps + i + j, counts[2] = steps;
}

int main() {
    signed char host[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) host[i][j] = i == j ? 4 : (i ^ j) == 2 ? -1 : -3;
    CHECK(cudaMemcpyToSymbol(scores, host, sizeof host));
    Random random(3);
    std::vector<unsigned char> a(PAIRS * LONG), b(PAIRS * LONG), long_a(SIDE), long_b(SIDE);
    const auto related = [&](std::vector<unsigned char>& x, std::vector<unsigned char>& y) {
        for (auto& each : x) each = random.next() & 3;
        for (size_t k = 0; k < y.size(); ++k) y[k] = random.next() % 8 ? x[(k + k / 50) % x.size()] : random.next() & 3;
    };
    related(a, b), related(long_a, long_b);
    unsigned char *da, *db, *dc, *dd;
    int *best, *table, *counts;
    CHECK(cudaMalloc(&da, a.size()));
    CHECK(cudaMalloc(&db, b.size()));
    CHECK(cudaMalloc(&dc, SIDE));
    CHECK(cudaMalloc(&dd, SIDE));
    CHECK(cudaMalloc(&best, PAIRS * 4));
    CHECK(cudaMalloc(&table, (SIDE + 1) * (SIDE + 1) * 4));
    CHECK(cudaMalloc(&counts, 12));
    CHECK(cudaMemcpy(da, a.data(), a.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), b.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dc, long_a.data(), SIDE, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dd, long_b.data(), SIDE, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    local<<<PAIRS / 4, 128>>>(da, db, best);
    edges<<<(SIDE + 256) / 256, 256>>>(table);
    const int across = SIDE / 32;
    for (int diagonal = 0; diagonal < 2 * across - 1; ++diagonal)
        tiles<<<std::min({diagonal + 1, across, 2 * across - 1 - diagonal}), 32>>>(dc, dd, table, diagonal);
    path<<<1, 1>>>(dc, dd, table, counts);
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<int> found(PAIRS), whole((SIDE + 1) * (SIDE + 1)), counted(3);
    CHECK(cudaMemcpy(found.data(), best, PAIRS * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(whole.data(), table, whole.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counted.data(), counts, 12, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int pair = 0; pair < PAIRS; pair += 5) {
        std::vector<int> value(LONG + 1, 0), down(LONG + 1, -OPEN);
        int most = 0;
        for (int i = 0; i < LONG; ++i) {
            int corner = 0, across_gap = -OPEN;
            value[0] = 0;
            for (int j = 1; j <= LONG; ++j) {
                down[j] = std::max(value[j] - OPEN, down[j] - EXTEND);
                across_gap = std::max(value[j - 1] - OPEN, across_gap - EXTEND);
                const int fits = corner + host[a[pair * LONG + i]][b[pair * LONG + j - 1]];
                corner = value[j];
                value[j] = std::max({0, fits, down[j], across_gap});
                most = std::max(most, value[j]);
            }
        }
        wrong += most != found[pair];
    }
    std::vector<int> ours((SIDE + 1) * (SIDE + 1));
    for (int k = 0; k <= SIDE; ++k) ours[k] = ours[k * (SIDE + 1)] = -GAP * k;
    for (int i = 1; i <= SIDE; ++i)
        for (int j = 1; j <= SIDE; ++j) {
            const int* up = &ours[(i - 1) * (SIDE + 1) + j];
            int* here = &ours[i * (SIDE + 1) + j];
            *here = std::max(up[-1] + host[long_a[i - 1]][long_b[j - 1]], std::max(up[0], here[-1]) - GAP);
        }
    digest("local", found.data(), PAIRS * 4);
    digest("global", whole.data(), whole.size() * 4);
    digest("path", counted.data(), 12);
    return verdict(wrong == 0 && ours == whole && counted[0] > 700, "align_pairs");
}
