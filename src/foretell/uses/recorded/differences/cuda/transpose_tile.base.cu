extern "C" __global__ void transpose_tile(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(size_t)x * n + y + k] = in[(size_t)(y + k) * n + x];
}
