extern "C" __global__ void __launch_bounds__(256, 8) registers_limited(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[24];
#pragma unroll
    for (int k = 0; k < 24; k++)
        v[k] = in[i] + k;
    for (int r = 0; r < n; r++)
#pragma unroll
        for (int k = 0; k < 24; k++)
            v[k] = v[k] * 0.5f + v[(k + 1) % 24];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 24; k++)
        sum += v[k];
    out[i] = sum;
}
