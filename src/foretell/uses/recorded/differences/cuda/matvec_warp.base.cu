extern "C" __global__ void matvec_warp(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[row * n + j] * x[j];
    y[row] = sum;
}
