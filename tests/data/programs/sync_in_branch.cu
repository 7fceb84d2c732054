// __syncwarp() of all lanes where only some come, others wait for these to return: a GPU goes on, as Numba's reduction does.
#include "check.h"

__global__ void halves(float* values) {
    __shared__ float part[32];
    const int lane = threadIdx.x;
    part[lane] = values[lane];
    __syncthreads();
    if (lane < 2) {
        part[lane] += part[lane + 2];
        __syncwarp();
    }
    if (lane == 0) values[0] = part[0] + part[1];
    __syncwarp();
    if (lane == 31) values[1] = part[31];
}

int main() {
    float host[32], *device;
    for (int i = 0; i < 32; ++i) host[i] = static_cast<float>(i);
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    halves<<<1, 32>>>(device);
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 6 && host[1] == 31 && host[2] == 2);
    return 0;
}
