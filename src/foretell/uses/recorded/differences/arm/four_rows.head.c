void matvec(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i += 2) {
        double s = 0, t = 0;
        for (int j = 0; j < n; j++) {
            s += a[i * n + j] * x[j];
            t += a[(i + 1) * n + j] * x[j];
        }
        y[i] = s;
        y[i + 1] = t;
    }
}
