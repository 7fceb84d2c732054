void quantize(int n, float scale, const float *restrict x, int *restrict q)
{
    for (int i = 0; i < n; i++)
        q[i] = (int)(x[i] / scale + 0.5f);
}
