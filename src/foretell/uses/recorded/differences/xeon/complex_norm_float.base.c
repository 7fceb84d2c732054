void norms(int n, const double *restrict z, double *restrict r)
{
    for (int i = 0; i < n; i++)
        r[i] = __builtin_sqrt(z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1]);
}
