extern "C" __global__ void gemm_coarse(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * 32 + threadIdx.y * 2, col = blockIdx.x * 32 + threadIdx.x;
    float s0 = 0, s1 = 0;
    for (int k = 0; k < n; k++) {
        float v = b[k * n + col];
        s0 += a[row * n + k] * v;
        s1 += a[(row + 1) * n + k] * v;
    }
    c[row * n + col] = s0;
    c[(row + 1) * n + col] = s1;
}
