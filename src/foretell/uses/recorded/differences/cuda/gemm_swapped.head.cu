#define T 32
extern "C" __global__ void gemm_swapped(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * T + threadIdx.x, col = blockIdx.x * T + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k += T) {
        as[threadIdx.x][threadIdx.y] = a[row * n + k + threadIdx.y];
        bs[threadIdx.x][threadIdx.y] = b[(k + threadIdx.x) * n + col];
        __syncthreads();
        for (int t = 0; t < T; t++)
            s += as[threadIdx.x][t] * bs[t][threadIdx.y];
        __syncthreads();
    }
    c[row * n + col] = s;
}
