void cubes(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i] * x[i];
}
