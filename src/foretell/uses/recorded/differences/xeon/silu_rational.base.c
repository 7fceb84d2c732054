void silu(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / (1.0f + 0.5f / (0.5f + x[i] * x[i]));
}
