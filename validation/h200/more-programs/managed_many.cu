// Several managed arrays that the host wrote, in one kernel: microseconds between two events, median and least of five.
#include "../programs/check.h"
#include <algorithm>
struct Arrays { float* p[16]; };
__global__ void nothing() {}
__global__ void touch(Arrays a, int k, int n, int stride, int write) {
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride; i < n; i += gridDim.x * blockDim.x * stride) {
        float sum = 0;
        for (int j = 0; j < k; ++j) sum += a.p[j][i];
        if (write || sum == 12345.678f) a.p[0][i] = sum;
    }
}
__global__ void in_turn(Arrays a, int k, int n) {
    float sum = 0;
    for (int j = 0; j < k; ++j)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a.p[j][i];
    if (sum == 12345.678f) a.p[0][0] = sum;
}
int main() {
    cudaEvent_t first, last; CHECK(cudaEventCreate(&first)); CHECK(cudaEventCreate(&last));
    nothing<<<1, 32>>>(); CHECK(cudaDeviceSynchronize());
    printf("what,arrays,bytes,grid,host_writes,median_us,least_us,again_us\n");
    // host_writes: bytes between words that the host writes before each launch; 0: none, never touched
    auto timed = [&](const char* what, int k, int bytes, int grid, int every, auto launch) {
        std::vector<float> all, again;
        for (int r = 0; r < 5; ++r) {
            Arrays a = {};
            for (int j = 0; j < k; ++j) {
                CHECK(cudaMallocManaged(&a.p[j], bytes));
                if (every) for (int i = 0; i < bytes / 4; i += every / 4) a.p[j][i] = 1;
            }
            float ms;
            for (auto* list : {&all, &again}) {
                CHECK(cudaEventRecord(first)); launch(a); CHECK(cudaEventRecord(last)); CHECK(cudaEventSynchronize(last));
                CHECK(cudaEventElapsedTime(&ms, first, last)); list->push_back(ms * 1e3);
            }
            for (int j = 0; j < k; ++j) CHECK(cudaFree(a.p[j]));
        }
        std::sort(all.begin(), all.end()); std::sort(again.begin(), again.end());
        printf("%s,%d,%d,%d,%d,%.1f,%.1f,%.1f\n", what, k, bytes, grid, every, all[2], all[0], again[2]); fflush(stdout);
    };
    for (int bytes : {4, 4096, 65536, 1 << 20, 4 << 20, 16 << 20})
        for (int k : {1, 2, 4, 8}) {
            const int grid = std::max(1, std::min(bytes / 1024, 1056));
            timed("together", k, bytes, grid, std::min(bytes, 4096), [&](Arrays a) { touch<<<grid, 256>>>(a, k, bytes / 4, 1, 0); });
            if (bytes >= 4096) timed("in_turn", k, bytes, grid, 4096, [&](Arrays a) { in_turn<<<grid, 256>>>(a, k, bytes / 4); });
        }
    for (int every : {0, 1 << 20, 1 << 16}) for (int k : {1, 4}) timed("together", k, 16 << 20, 1056, every, [&](Arrays a) { touch<<<1056, 256>>>(a, k, 4 << 20, 1, 0); });
    for (int k : {1, 4}) timed("writes", k, 4 << 20, 1056, 4096, [&](Arrays a) { touch<<<1056, 256>>>(a, k, 1 << 20, 1, 1); });
    for (int k : {1, 4}) timed("one_block", k, 4 << 20, 1, 4096, [&](Arrays a) { touch<<<1, 256>>>(a, k, 1 << 20, 1, 0); });
    for (int k : {1, 4}) timed("stride_64K", k, 4 << 20, 1, 4096, [&](Arrays a) { touch<<<1, 64>>>(a, k, 1 << 20, 16384, 0); });
}
