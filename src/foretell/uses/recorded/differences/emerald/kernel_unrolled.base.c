void sharpen(int rows, int width, const float *restrict k, const float *restrict in, float *restrict out)
{
    for (int y = 1; y < rows - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            float sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += k[3 * (dy + 1) + dx + 1] * in[(y + dy) * width + x + dx];
            out[y * width + x] = sum;
        }
}
