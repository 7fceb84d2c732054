void cumulate(int n, const float *restrict x, float *restrict y)
{
    for (int i = 1; i < n; i++)
        y[i] = x[i - 1] + x[i];
}
