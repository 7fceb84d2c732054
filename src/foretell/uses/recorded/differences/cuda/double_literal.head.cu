extern "C" __global__ void double_literal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int k = 0; k < 16; k++)
        v = 0.7 * v + 0.3f;
    out[i] = v;
}
