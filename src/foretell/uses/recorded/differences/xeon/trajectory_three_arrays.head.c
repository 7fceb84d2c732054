void drift(int n, double *restrict x, const double *restrict v)
{
    for (int i = 0; i < n; i++) {
        x[i] += 0.01 * v[i];
        x[n + i] += 0.01 * v[n + i];
        x[2 * n + i] += 0.02 * v[2 * n + i];
    }
}
