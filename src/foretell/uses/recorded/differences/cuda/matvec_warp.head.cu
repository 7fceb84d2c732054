extern "C" __global__ void matvec_warp(const float *a, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = lane; j < n; j += 32)
        sum += a[row * n + j] * x[j];
    for (int w = 16; w; w /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, w);
    if (lane == 0)
        y[row] = sum;
}
