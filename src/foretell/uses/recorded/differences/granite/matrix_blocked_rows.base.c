void gram(int n, int k, const double *restrict a, double *restrict g)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int p = 0; p < k; p++)
                s += a[i * k + p] * a[j * k + p];
            g[i * n + j] = s;
        }
}
