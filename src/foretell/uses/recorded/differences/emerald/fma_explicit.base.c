void line_values(int n, double slope, double start, const double *restrict x, double *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = slope * x[i] + start;
}
