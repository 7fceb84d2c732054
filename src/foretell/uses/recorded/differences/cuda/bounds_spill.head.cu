extern "C" __global__ void __launch_bounds__(256, 6) bounds_spill(const float *in, float *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float v[48];
    for (int k = 0; k < 48; k++)
        v[k] = in[k * n + i];
    float s = 0;
    for (int r = 0; r < 8; r++) {
        for (int k = 0; k < 48; k++)
            v[k] = v[k] * v[(k + 7) % 48] + s;
        s += v[r];
    }
    for (int k = 0; k < 48; k++)
        s += v[k];
    out[i] = s;
}
