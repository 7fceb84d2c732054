// Separate compilation: a kernel calls functions, and uses variables, of another file (linked_functions.cu).
#include "check.h"

extern __device__ double halved(double, int);
extern __device__ int counter;
extern __constant__ int base;
void set_base(int);

__device__ __noinline__ double quotient(double x) { return 1.0 / x; }

__global__ void use(double* out, int depth) {
    out[threadIdx.x] = halved(threadIdx.x + 1.0, depth) + base + quotient(threadIdx.x + 3.0);
    atomicAdd(&counter, 1);
}

int main() {
    const int n = 64, depth = 5;
    double* out;
    CHECK(cudaMallocManaged(&out, n * sizeof(double)));
    set_base(7);
    use<<<1, n>>>(out, depth);
    CHECK(cudaDeviceSynchronize());
    int counted = 0;
    CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
    EXPECT(counted == n);
    for (int i = 0; i < n; ++i) {
        double expected = i + 1.0;
        for (int k = 0; k < depth; ++k) expected /= 2.0;
        EXPECT(out[i] == expected + 7 + 1.0 / (i + 3.0));
    }
    return 0;
}
