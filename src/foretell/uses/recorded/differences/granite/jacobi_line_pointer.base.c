void relax_line(int n, const double *up, const double *mid, double *out)
{
    for (int i = 1; i <= n; i++)
        out[i] = 0.25 * (mid[i - 1] + mid[i + 1] + up[i] + up[i]);
}
