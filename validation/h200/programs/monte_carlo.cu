// Counts of random points in a circle, by warps with votes.
#include "check.h"
__host__ __device__ unsigned next(unsigned& s) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}
__global__ void count(unsigned long long* inside, int rounds) {
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
    unsigned sum = 0;
    for (int i = 0; i < rounds; ++i) {
        unsigned x = next(state) >> 16, y = next(state) >> 16;
        sum += __popc(__ballot_sync(~0u, static_cast<unsigned long long>(x) * x + static_cast<unsigned long long>(y) * y < 1ull << 32));
    }
    if (threadIdx.x % 32 == 0) atomicAdd(inside, static_cast<unsigned long long>(sum));
}
int main() {
    const int threads = 1 << 16, rounds = 64;
    unsigned long long *d, got = 0, expected = 0;
    CHECK(cudaMalloc(&d, 8));
    CHECK(cudaMemset(d, 0, 8));
    Elapsed time;
    count<<<threads / 256, 256>>>(d, rounds);
    time.print();
    CHECK(cudaMemcpy(&got, d, 8, cudaMemcpyDeviceToHost));
    for (unsigned t = 0; t < threads; ++t) {
        unsigned state = t * 2654435761u + 12345u;
        for (int i = 0; i < rounds; ++i) {
            unsigned long long x = next(state) >> 16, y = next(state) >> 16;
            expected += x * x + y * y < 1ull << 32;
        }
    }
    return verdict(got == expected, "monte_carlo");
}
