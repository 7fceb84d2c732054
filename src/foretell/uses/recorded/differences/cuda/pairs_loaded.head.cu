extern "C" __global__ void pairs_loaded(const float2 *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v = in[i];
    out[i] = v.x * v.y;
}
