void cumulate(int n, const float *restrict x, float *restrict y)
{
    for (int i = 1; i < n; i++)
        y[i] = y[i - 1] + x[i];
}
