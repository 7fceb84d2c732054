extern "C" __global__ void scan_padding(const float *in, float *out)
{
    __shared__ float s[512 + 16];
    int t = threadIdx.x;
    s[t + t / 32] = in[blockIdx.x * 512 + t];
    s[t + 256 + (t + 256) / 32] = in[blockIdx.x * 512 + t + 256];
    for (int w = 1; w < 512; w *= 2) {
        __syncthreads();
        int i = (t + 1) * w * 2 - 1;
        if (i < 512)
            s[i + i / 32] += s[i - w + (i - w) / 32];
    }
    __syncthreads();
    out[blockIdx.x * 512 + t] = s[t + t / 32];
    out[blockIdx.x * 512 + t + 256] = s[t + 256 + (t + 256) / 32];
}
