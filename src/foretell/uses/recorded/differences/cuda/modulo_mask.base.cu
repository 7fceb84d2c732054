extern "C" __global__ void modulo_mask(const int *in, int *out, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int k = 0; k < 8; k++)
        v = (v + k) % m + 1;
    out[i] = v;
}
