extern "C" __global__ void constant_table(const float *in, const float *table, float *out)
{
    __shared__ float own[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64)
        own[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    float x = in[i], sum = 0;
    for (int k = 0; k < 64; k++)
        sum = sum * x + own[k];
    out[i] = sum;
}
