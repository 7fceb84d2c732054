void half(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0.3f * x[i] + 0.7f;
}
