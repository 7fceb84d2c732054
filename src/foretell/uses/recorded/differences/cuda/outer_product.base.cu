extern "C" __global__ void outer_product(const float *x, const float *y, float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    a[i * n + j] = x[i] * y[j];
}
