// Cooperative groups: a grid that waits for all its blocks, tiles of a warp, groups of the lanes that are there.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "../programs/check.h"
namespace cg = cooperative_groups;
__global__ void relax(float* a, float* b, int n, int rounds, float* residual) {
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < rounds; ++r) {
        float change = 0;
        for (int i = grid.thread_rank(); i < n * n; i += grid.size()) {
            const int x = i % n, y = i / n;
            if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
                b[i] = a[i];
                continue;
            }
            b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
            change += fabsf(b[i] - a[i]);
        }
        auto warp = cg::tiled_partition<32>(cg::this_thread_block());
        change = cg::reduce(warp, change, cg::plus<float>());
        if (warp.thread_rank() == 0) atomicAdd(residual + r, change);
        grid.sync();
        float* c = a;
        a = b, b = c;
    }
}
__global__ void compact(const int* in, int* out, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || in[i] % 3) return;
    auto active = cg::coalesced_threads();  // one atomic for all lanes that came here
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
    out[active.shfl(base, 0) + active.thread_rank()] = in[i];
}
__global__ void tiles(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto eight = cg::tiled_partition<8>(cg::this_thread_block());
    const int value = in[i];
    auto same = cg::labeled_partition(eight, value & 3);
    out[i] = cg::exclusive_scan(eight, value, cg::plus<int>()) + 1000 * same.size() + cg::reduce(same, value, cg::greater<int>());
}
int main() {
    int n = 384, rounds = 12, blocks = 0, device = 0, units = 0;
    CHECK(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, relax, 256, 0));
    std::vector<float> field(n * n), next(n * n), got(n * n);
    Random random(21);
    for (float& x : field) x = random.real();
    next = field;
    float *a, *b, *residual;
    CHECK(cudaMalloc(&a, n * n * 4));
    CHECK(cudaMalloc(&b, n * n * 4));
    CHECK(cudaMalloc(&residual, rounds * 4));
    CHECK(cudaMemset(residual, 0, rounds * 4));
    CHECK(cudaMemcpy(a, field.data(), n * n * 4, cudaMemcpyHostToDevice));
    void* args[] = {&a, &b, &n, &rounds, &residual};
    CHECK(cudaLaunchCooperativeKernel((void*)relax, dim3(units), dim3(256), args, 0, nullptr));
    CHECK(cudaMemcpy(got.data(), a, n * n * 4, cudaMemcpyDeviceToHost));
    for (int r = 0; r < rounds; ++r) {
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x)
                next[y * n + x] = 0.25f * (field[y * n + x - 1] + field[y * n + x + 1] + field[(y - 1) * n + x] + field[(y + 1) * n + x]);
        field.swap(next);
    }
    bool right = got == field && blocks > 0;
    const int m = 1 << 18;
    std::vector<int> data(m), kept(m), scanned(m);
    int count = 0, expected = 0;
    for (int& x : data) x = random.next() % 100;
    int *in, *out, *size;
    CHECK(cudaMalloc(&in, m * 4));
    CHECK(cudaMalloc(&out, m * 4));
    CHECK(cudaMalloc(&size, 4));
    CHECK(cudaMemset(size, 0, 4));
    CHECK(cudaMemcpy(in, data.data(), m * 4, cudaMemcpyHostToDevice));
    compact<<<m / 256, 256>>>(in, out, size, m);
    CHECK(cudaMemcpy(&count, size, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(kept.data(), out, m * 4, cudaMemcpyDeviceToHost));
    long long sum = 0;
    for (int x : data)
        if (x % 3 == 0) ++expected, sum += x;
    for (int i = 0; i < count; ++i) sum -= kept[i];
    right = right && count == expected && sum == 0;
    tiles<<<m / 256, 256>>>(in, out, m);
    CHECK(cudaMemcpy(scanned.data(), out, m * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < m; ++i) {
        int before = 0, same = 0, high = 0;
        for (int k = i / 8 * 8; k < i / 8 * 8 + 8; ++k) {
            if (k < i) before += data[k];
            if ((data[k] & 3) == (data[i] & 3)) ++same, high = data[k] > high ? data[k] : high;
        }
        right = right && scanned[i] == before + 1000 * same + high;
    }
    return verdict(right, "cg_groups");
}
