void crop(int rows, int width, int stride, const float *in, float *out)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++)
            out[y * width + x] = in[y * stride + x];
}
