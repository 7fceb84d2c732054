extern "C" __global__ void count_atomics(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[in[i]], 1);
}
