extern "C" __global__ void points_layout(const float *p, float *e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[i] = p[4 * i] * p[4 * i] + p[4 * i + 1] * p[4 * i + 1] + p[4 * i + 2] * p[4 * i + 2];
}
