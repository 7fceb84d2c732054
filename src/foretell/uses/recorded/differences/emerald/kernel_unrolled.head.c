void sharpen(int rows, int width, const float *restrict k, const float *restrict in, float *restrict out)
{
    for (int y = 1; y < rows - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const float *p = in + y * width + x;
            float up = k[0] * p[-width - 1] + k[1] * p[-width] + k[2] * p[-width + 1];
            float here = k[3] * p[-1] + k[4] * p[0] + k[5] * p[1];
            float down = k[6] * p[width - 1] + k[7] * p[width] + k[8] * p[width + 1];
            out[y * width + x] = up + here + down;
        }
}
