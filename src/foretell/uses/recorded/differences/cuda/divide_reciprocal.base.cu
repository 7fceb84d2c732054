extern "C" __global__ void divide_reciprocal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int k = 0; k < 16; k++)
        v = 1 + v / in[k];
    out[i] = v;
}
