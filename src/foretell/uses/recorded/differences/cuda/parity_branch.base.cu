extern "C" __global__ void parity_branch(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (i / 32 % 2)
        for (int k = 0; k < 40; k++)
            v = v * 1.01f + 0.5f;
    else
        for (int k = 0; k < 40; k++)
            v = v / 1.01f - 0.5f;
    out[i] = v;
}
