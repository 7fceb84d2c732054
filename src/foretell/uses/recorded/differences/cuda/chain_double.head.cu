extern "C" __global__ void chain_double(float *out, float f, int rounds)
{
    float a = threadIdx.x, b = 1, c = 2, d = 3;
    for (int k = 0; k < rounds; k++) {
        a = a * f + 1.1;
        a = a * f + 2;
        a = a * f + 3;
        a = a * f + 4;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
