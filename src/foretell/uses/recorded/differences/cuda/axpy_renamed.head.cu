extern "C" __global__ void axpy_renamed(double f, const double *x, double *y, int n)
{
    int element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element < n)
        y[element] += f * x[element];
}
