void shift(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i + 1] = x[i];
}
