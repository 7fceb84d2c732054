void axpy_said(int n, double f, const double *restrict x, double *restrict y)
{
    // y += f x, one element after the other
    for (int i = 0; i < n; i++)
        y[i] += f * x[i];
}
