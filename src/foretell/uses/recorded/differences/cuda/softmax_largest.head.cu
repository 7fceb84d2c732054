extern "C" __global__ void softmax_largest(const float *in, float *out, int n)
{
    __shared__ float part[256];
    const float *row = in + blockIdx.x * n;
    float most = -1e30f, sum = 0;
    for (int j = threadIdx.x; j < n; j += 256)
        most = fmaxf(most, row[j]);
    part[threadIdx.x] = most;
    __syncthreads();
    for (int w = 128; w; w /= 2) {
        if (threadIdx.x < w)
            part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + w]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += 256)
        sum += __expf(row[j] - most);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 128; w; w /= 2) {
        if (threadIdx.x < w)
            part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    float scale = 1 / part[0];
    for (int j = threadIdx.x; j < n; j += 256)
        out[blockIdx.x * n + j] = __expf(row[j] - most) * scale;
}
