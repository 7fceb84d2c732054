extern "C" __global__ void reduce_shuffle(const float *in, float *out)
{
    __shared__ float s[8];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 256 + t];
    for (int w = 16; w > 0; w /= 2)
        v += __shfl_down_sync(~0u, v, w);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; w++)
            v += s[w];
        out[blockIdx.x] = v;
    }
}
