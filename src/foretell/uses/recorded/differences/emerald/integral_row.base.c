void integral_image(int n, const float *in, float *out)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            out[i * n + j] = in[i * n + j] + out[i * n + j - 1] + out[(i - 1) * n + j] - out[(i - 1) * n + j - 1];
}
