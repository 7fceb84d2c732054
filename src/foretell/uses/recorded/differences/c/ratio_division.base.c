void ratio(int n, const double *restrict x, const double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++)
        z[i] = x[i] / y[i] + x[i] / (y[i] + 1);
}
