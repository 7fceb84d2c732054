#define T 16
extern "C" __global__ void gemm_unroll(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k += T) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
        __syncthreads();
        for (int t = 0; t < T; t++)
            s += as[threadIdx.y][t] * bs[t][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = s;
}
