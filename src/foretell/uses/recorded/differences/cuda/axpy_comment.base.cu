extern "C" __global__ void axpy_comment(double f, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += f * x[i];
}
