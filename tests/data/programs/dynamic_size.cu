// Code that asks how much dynamic shared memory it has, and reads the rest of the unit in which a block gets it.
#include "check.h"

__global__ void sizes(unsigned* out) {
    extern __shared__ unsigned words[];
    unsigned dynamic;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
    words[8] = 7;
    out[0] = dynamic;
    out[1] = words[8];
}

int main() {
    unsigned host[2], *device;
    CHECK(cudaMalloc(&device, sizeof host));
    sizes<<<1, 1, 32>>>(device);
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 32 && host[1] == 7);
    return 0;
}
