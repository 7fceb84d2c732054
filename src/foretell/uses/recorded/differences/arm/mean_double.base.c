void window_mean(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = (x[i] + x[i + 1] + x[i + 2] + x[i + 3]) * 0.25f;
}
