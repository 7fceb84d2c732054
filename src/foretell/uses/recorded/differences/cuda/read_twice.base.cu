extern "C" __global__ void read_twice(const float *in, float *out, float *more)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    out[i] = v + 1;
    more[i] = v * 2;
}
