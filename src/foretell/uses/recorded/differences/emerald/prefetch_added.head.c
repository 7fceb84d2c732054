void scaled_sum(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        __builtin_prefetch(&x[i + 64]);
        y[i] += 3.0 * x[i];
    }
}
