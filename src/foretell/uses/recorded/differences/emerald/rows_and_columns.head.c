void gradient(int rows, int width, float *restrict out)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++)
            out[y * width + x] = 0.5f * (float)x + 0.25f * (float)y;
}
