extern "C" __global__ void local_array(const float *in, const int *which, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8];
    for (int k = 0; k < 8; k++)
        v[k] = in[i] * k;
    float s = 0;
    for (int k = 0; k < 8; k++)
        s += v[(k + which[i]) & 7];
    out[i] = s + which[i];
}
