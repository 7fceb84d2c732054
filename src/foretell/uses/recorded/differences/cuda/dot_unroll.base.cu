extern "C" __global__ void dot_unroll(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        sum += a[(i + 128 * k) & 131071] * b[(i + 512 * k) & 131071];
    out[i] = sum;
}
