extern "C" __global__ void load_columns(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[(i % 1024) * 2048 + i / 1024] + 1;
}
