extern "C" __global__ void sum_atomic_warp(const float *in, float *out)
{
    __shared__ float part[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int w = 16; w; w /= 2)
        v += __shfl_down_sync(0xffffffff, v, w);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        v = 0;
        for (int k = 0; k < 8; k++)
            v += part[k];
        atomicAdd(out, v);
    }
}
