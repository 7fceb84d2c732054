extern "C" __global__ void matvec_order(const float *a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * x[k];
    y[i] = s;
}
