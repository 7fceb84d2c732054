void convolve_rows(int w, int h, const float *in, const float *kernel, float *out)
{
    float k0 = kernel[0], k1 = kernel[1], k2 = kernel[2], k3 = kernel[3], k4 = kernel[4];
    for (int y = 0; y < h; y++) {
        const float *row = in + y * w;
        for (int x = 2; x < w - 2; x++)
            out[y * w + x] = k0 * row[x - 2] + k1 * row[x - 1] + k2 * row[x] + k3 * row[x + 1] + k4 * row[x + 2];
    }
}
