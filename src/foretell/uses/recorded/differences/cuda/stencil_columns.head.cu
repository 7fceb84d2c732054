extern "C" __global__ void stencil_columns(const float *__restrict__ a, float *__restrict__ b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, first = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    for (int y = first; y < first + 4; y++)
        if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
            b[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}
