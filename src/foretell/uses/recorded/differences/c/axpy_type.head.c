void axpy(int n, float f, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += f * x[i];
}
