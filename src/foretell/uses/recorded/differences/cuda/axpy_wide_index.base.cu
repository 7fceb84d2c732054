extern "C" __global__ void axpy_wide_index(float f, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += f * x[i];
}
