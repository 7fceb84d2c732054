extern "C" __global__ void sum_atomic_warp(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int w = 16; w; w /= 2)
        v += __shfl_down_sync(0xffffffff, v, w);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, v);
}
