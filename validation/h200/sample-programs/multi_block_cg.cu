// In the manner of CUDA's conjugateGradientMultiBlockCG: one cooperative launch, managed memory with advice and prefetch.
#include "../programs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
constexpr int N = 65536;
__device__ void product(const int* I, const int* J, const float* val, const float* x, float* out, const cg::grid_group& grid) {
    for (int i = grid.thread_rank(); i < N; i += grid.size()) {
        float sum = 0;
        for (int k = I[i]; k < I[i + 1]; ++k) sum += val[k] * x[J[k]];
        out[i] = sum;
    }
}
__device__ void dot(const float* a, const float* b, double* result, const cg::thread_block& cta, const cg::grid_group& grid) {
    extern __shared__ double warps[];
    double sum = 0;
    for (int i = grid.thread_rank(); i < N; i += grid.size()) sum += double(a[i]) * b[i];
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
    sum = cg::reduce(tile, sum, cg::plus<double>());
    if (tile.thread_rank() == 0) warps[tile.meta_group_rank()] = sum;
    cg::sync(cta);
    if (tile.meta_group_rank() == 0) {
        sum = tile.thread_rank() < tile.meta_group_size() ? warps[tile.thread_rank()] : 0;
        sum = cg::reduce(tile, sum, cg::plus<double>());
        if (tile.thread_rank() == 0) atomicAdd(result, sum);
    }
}
__global__ void conjugate_gradient(const int* I, const int* J, const float* val, float* x, float* ax, float* p, float* r, double* result, float tolerance, int* rounds) {
    cg::thread_block cta = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    product(I, J, val, x, ax, grid);
    cg::sync(grid);
    for (int i = grid.thread_rank(); i < N; i += grid.size()) r[i] -= ax[i], p[i] = r[i];
    dot(r, r, result, cta, grid);
    cg::sync(grid);
    double r1 = *result;
    int k = 0;
    while (r1 > tolerance * tolerance && k < 100) {
        product(I, J, val, p, ax, grid);
        if (grid.thread_rank() == 0) *result = 0;
        cg::sync(grid);
        dot(p, ax, result, cta, grid);
        cg::sync(grid);
        const double a = r1 / *result, r0 = r1;
        for (int i = grid.thread_rank(); i < N; i += grid.size()) x[i] += a * p[i], r[i] -= a * ax[i];
        cg::sync(grid);
        if (grid.thread_rank() == 0) *result = 0;
        cg::sync(grid);
        dot(r, r, result, cta, grid);
        cg::sync(grid);
        r1 = *result;
        const double b = r1 / r0;
        for (int i = grid.thread_rank(); i < N; i += grid.size()) p[i] = r[i] + b * p[i];
        cg::sync(grid);
        ++k;
    }
    if (grid.thread_rank() == 0) *rounds = k;
}
int main() {
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    if (!prop.managedMemory || !prop.cooperativeLaunch) return verdict(false, "properties");
    int *I, *J, *rounds; float *val, *x, *ax, *p, *r; double* result;
    CHECK(cudaMallocManaged(&I, (N + 1) * 4)); CHECK(cudaMallocManaged(&J, 3 * N * 4)); CHECK(cudaMallocManaged(&val, 3 * N * 4));
    for (float** q : {&x, &ax, &p, &r}) CHECK(cudaMallocManaged(q, N * 4));
    CHECK(cudaMallocManaged(&result, 8)); CHECK(cudaMallocManaged(&rounds, 4));
    int nz = 0;
    Random random(31);
    for (int i = 0; i < N; ++i) {
        I[i] = nz;
        if (i) J[nz] = i - 1, val[nz++] = -0.4f;
        J[nz] = i, val[nz++] = 2 + random.real();
        if (i < N - 1) J[nz] = i + 1, val[nz++] = -0.4f;
        x[i] = 0, r[i] = 1;
    }
    I[N] = nz, *result = 0;
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaMemAdvise(I, (N + 1) * 4, cudaMemAdviseSetReadMostly, place));
    CHECK(cudaMemAdvise(x, N * 4, cudaMemAdviseSetPreferredLocation, place));
    CHECK(cudaMemPrefetchAsync(val, 3 * N * 4, place, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    int per = 0;
    const int threads = 512;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, conjugate_gradient, threads, threads / 32 * 8 + 8));
    const int blocks = std::min(prop.multiProcessorCount * per, N / threads);
    float tolerance = 1e-3f;
    void* arguments[] = {&I, &J, &val, &x, &ax, &p, &r, &result, &tolerance, &rounds};
    cudaEvent_t start, stop;
    CHECK(cudaEventCreateWithFlags(&start, cudaEventBlockingSync)); CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaLaunchCooperativeKernel((void*)conjugate_gradient, dim3(blocks), dim3(threads), arguments, threads / 32 * 8 + 8, stream));
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaDeviceSynchronize());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("elapsed %.6f ms, %d rounds\n", ms, *rounds);
    double worst = 0;
    for (int i = 0; i < N; ++i) {
        double sum = 0;
        for (int k = I[i]; k < I[i + 1]; ++k) sum += val[k] * x[J[k]];
        worst = fmax(worst, fabs(sum - 1));
    }
    return verdict(worst < 1e-3 && *rounds < 100 && *rounds > 3, "multi_block_cg");
}
