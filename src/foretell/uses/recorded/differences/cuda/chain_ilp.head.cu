extern "C" __global__ void chain_ilp(float *out, float f, int rounds)
{
    float a = threadIdx.x, b = 1, c = 2, d = 3;
    for (int k = 0; k < rounds; k++) {
        a = a * f + 1;
        b = b * f + 2;
        c = c * f + 3;
        d = d * f + 4;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
