extern "C" __global__ void softmax_passes(const float *in, float *out, int n)
{
    __shared__ float part[8];
    const float *row = in + (size_t)blockIdx.x * n;
    float top = -1e30f, s = 0;
    for (int k = threadIdx.x; k < n; k += 256)
        top = fmaxf(top, row[k]);
    for (int w = 16; w > 0; w /= 2)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, w));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = top;
    __syncthreads();
    for (int w = 0; w < 8; w++)
        top = fmaxf(top, part[w]);
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += 256)
        s += expf(row[k] - top);
    for (int w = 16; w > 0; w /= 2)
        s += __shfl_xor_sync(~0u, s, w);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    s = 0;
    for (int w = 0; w < 8; w++)
        s += part[w];
    for (int k = threadIdx.x; k < n; k += 256)
        out[(size_t)blockIdx.x * n + k] = expf(row[k] - top) / s;
}
