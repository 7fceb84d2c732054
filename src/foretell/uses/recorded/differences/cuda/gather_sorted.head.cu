extern "C" __global__ void gather_sorted(const float *in, const int *at, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[at[i]];
}
