extern "C" __global__ void power_square(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int k = 0; k < 16; k++)
        v = powf(v, 1.5f);
    out[i] = v;
}
