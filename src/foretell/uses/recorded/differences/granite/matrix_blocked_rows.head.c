void gram(int n, int k, const double *restrict a, double *restrict g)
{
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j <= i; j++) {
            double s = 0, t = 0;
            for (int p = 0; p < k; p++) {
                s += a[i * k + p] * a[j * k + p];
                t += a[(i + 1) * k + p] * a[j * k + p];
            }
            g[i * n + j] = s;
            g[(i + 1) * n + j] = t;
        }
}
