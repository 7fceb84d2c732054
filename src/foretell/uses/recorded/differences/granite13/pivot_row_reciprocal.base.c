void eliminate(int n, double *a)
{
    for (int i = 1; i < n; i++) {
        double f = a[i * n] / a[0];
        for (int j = 0; j < n; j++)
            a[i * n + j] -= 1e-6 * f * a[j];
    }
}
