// Kernels that print: a line of each block, lines of many threads, long lines, and printing that a condition rarely reaches.
#include "../user-programs/digest.h"

__global__ void each_block(const int* data) {
    if (threadIdx.x == 0) printf("block %d has %d\n", blockIdx.x, data[blockIdx.x]);
}
__global__ void each_thread(int rounds) {
    for (int r = 0; r < rounds; ++r) printf("%d %d %d\n", r, blockIdx.x, threadIdx.x);
}
__global__ void long_lines(double x) {
    printf("%s %d %f %g %x %c %s\n", "a line of a thread with several numbers", threadIdx.x, x * threadIdx.x, x, threadIdx.x * 77, 'a' + threadIdx.x % 26, "its end");
}
__global__ void rarely(const int* data, int n, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int value = data[i];
    for (int k = 0; k < 50; ++k) value = value * 1103515245 + 12345;
    if ((value & 0xfffff) == 7) printf("found at %d\n", i);
    atomicMax(found, value & 0xffff);
}
int main() {
    const int n = 1 << 20;
    int *data, *found;
    CHECK(cudaMalloc(&data, n * 4));
    CHECK(cudaMalloc(&found, 4));
    CHECK(cudaMemset(found, 0, 4));
    std::vector<int> in(n);
    Random random(8);
    for (int& x : in) x = random.next();
    CHECK(cudaMemcpy(data, in.data(), n * 4, cudaMemcpyHostToDevice));
    each_block<<<64, 32>>>(data);
    CHECK(cudaDeviceSynchronize());
    each_thread<<<8, 64>>>(4);
    CHECK(cudaDeviceSynchronize());
    long_lines<<<2, 96>>>(1.25);
    CHECK(cudaDeviceSynchronize());
    rarely<<<n / 256, 256>>>(data, n, found);
    CHECK(cudaDeviceSynchronize());
    int most = 0, expected = 0;
    CHECK(cudaMemcpy(&most, found, 4, cudaMemcpyDeviceToHost));
    for (int x : in) {
        unsigned value = x;
        for (int k = 0; k < 50; ++k) value = value * 1103515245u + 12345u;
        expected = std::max(expected, (int)(value & 0xffff));
    }
    return verdict(most == expected, "printing");
}
