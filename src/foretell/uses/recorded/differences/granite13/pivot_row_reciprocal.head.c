void eliminate(int n, double *a)
{
    double inv = 1.0 / a[0];
    for (int i = 1; i < n; i++) {
        double f = 1e-6 * (a[i * n] * inv);
        for (int j = 0; j < n; j++)
            a[i * n + j] -= f * a[j];
    }
}
