extern "C" __global__ void points_layout(const float *p, float *e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[i] = p[i] * p[i] + p[n + i] * p[n + i] + p[2 * n + i] * p[2 * n + i];
}
