// Copy, scale, add, triad and dot of doubles, in the manner of BabelStream.
#include "../programs/check.h"
__global__ void copy(const double* a, double* c) { const int i = blockDim.x * blockIdx.x + threadIdx.x; c[i] = a[i]; }
__global__ void mul(double* b, const double* c) { const int i = blockDim.x * blockIdx.x + threadIdx.x; b[i] = 0.4 * c[i]; }
__global__ void add(const double* a, const double* b, double* c) { const int i = blockDim.x * blockIdx.x + threadIdx.x; c[i] = a[i] + b[i]; }
__global__ void triad(double* a, const double* b, const double* c) { const int i = blockDim.x * blockIdx.x + threadIdx.x; a[i] = b[i] + 0.4 * c[i]; }
__global__ void dot(const double* a, const double* b, double* sums, int n) {
    __shared__ double all[1024];
    double sum = 0;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
    all[threadIdx.x] = sum;
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
        __syncthreads();
        if (threadIdx.x < offset) all[threadIdx.x] += all[threadIdx.x + offset];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = all[0];
}
int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 4 << 20, blocks = 528;
    std::vector<double> a(n, 0.1), b(n, 0.2), c(n, 0.0), sums(blocks);
    double *da, *db, *dc, *ds;
    CHECK(cudaMalloc(&da, n * 8)); CHECK(cudaMalloc(&db, n * 8)); CHECK(cudaMalloc(&dc, n * 8)); CHECK(cudaMallocHost(&ds, blocks * 8));
    CHECK(cudaMemcpy(da, a.data(), n * 8, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(db, b.data(), n * 8, cudaMemcpyHostToDevice));
    double sum = 0, wa = 0.1, wb = 0.2, wc = 0;
    Elapsed elapsed;
    for (int k = 0; k < 4; ++k) {
        copy<<<n / 1024, 1024>>>(da, dc), mul<<<n / 1024, 1024>>>(db, dc), add<<<n / 1024, 1024>>>(da, db, dc), triad<<<n / 1024, 1024>>>(da, db, dc);
        dot<<<blocks, 1024>>>(da, db, ds, n);
        CHECK(cudaDeviceSynchronize());
        sum = 0;
        for (int i = 0; i < blocks; ++i) sum += ds[i];
        wc = wa, wb = 0.4 * wc, wc = wa + wb, wa = wb + 0.4 * wc;
    }
    elapsed.print();
    CHECK(cudaMemcpy(c.data(), dc, n * 8, cudaMemcpyDeviceToHost));
    return verdict(near(sum, wa * wb * n, 1e-9) && near(c[n / 2], wc, 1e-12), "stream_double");
}
