void convolve_rows(int w, int h, const float *in, const float *kernel, float *out)
{
    for (int y = 0; y < h; y++)
        for (int x = 2; x < w - 2; x++) {
            float sum = 0;
            for (int k = 0; k < 5; k++)
                sum += kernel[k] * in[y * w + x + k - 2];
            out[y * w + x] = sum;
        }
}
