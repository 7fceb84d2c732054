extern "C" __global__ void extra_barrier(float *out, int rounds)
{
    __shared__ float s[32 * 33];
    int t = threadIdx.x;
    for (int k = t; k < 32 * 33; k += blockDim.x)
        s[k] = k;
    __syncthreads();
    float v = 0;
    for (int k = 0; k < rounds; k++)
        v += s[(t % 32) * 33 + ((k + t / 32) & 31)];
    out[blockIdx.x * blockDim.x + t] = v;
}
