extern "C" __global__ void scan_padding(const float *in, float *out)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 512 + t];
    s[t + 256] = in[blockIdx.x * 512 + t + 256];
    for (int w = 1; w < 512; w *= 2) {
        __syncthreads();
        int i = (t + 1) * w * 2 - 1;
        if (i < 512)
            s[i] += s[i - w];
    }
    __syncthreads();
    out[blockIdx.x * 512 + t] = s[t];
    out[blockIdx.x * 512 + t + 256] = s[t + 256];
}
