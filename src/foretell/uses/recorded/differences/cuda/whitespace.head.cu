extern "C" __global__ void whitespace(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i <
        n)

        out[i] = in[i] + 1;
}
