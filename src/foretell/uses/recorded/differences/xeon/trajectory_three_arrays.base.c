void drift(int n, double *restrict x, const double *restrict v)
{
    for (int i = 0; i < n; i++) {
        x[3 * i] += 0.01 * v[3 * i];
        x[3 * i + 1] += 0.01 * v[3 * i + 1];
        x[3 * i + 2] += 0.02 * v[3 * i + 2];
    }
}
