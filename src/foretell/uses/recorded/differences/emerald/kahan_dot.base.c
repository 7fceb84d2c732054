void careful_dot(int n, const double *restrict x, const double *restrict y, double *restrict out)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    *out = sum;
}
