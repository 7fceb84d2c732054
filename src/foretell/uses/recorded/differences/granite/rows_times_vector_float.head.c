void apply_rows(int m, int n, const float *a, const float *x, float *y)
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += a[i * n + j] * x[j];
        y[i] = s;
    }
}
