extern "C" __global__ void read_twice(const float *in, float *out, float *more)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
    more[i] = in[i] * 2 + in[i ^ 1];
}
