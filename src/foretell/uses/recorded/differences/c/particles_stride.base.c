void advance(int n, double *restrict x, const double *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            x[3 * i + k] += 0.01 * v[3 * i + k];
}
