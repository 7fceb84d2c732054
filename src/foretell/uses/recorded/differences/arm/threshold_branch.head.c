void threshold(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 1.0)
            y[i] = x[i];
}
