void greeks(int n, const double *restrict s, const double *restrict v, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] = (s[i] + 0.5 * v[i] * v[i]) / __builtin_sqrt(v[i]);
        b[i] = (s[i] - 0.5 * v[i] * v[i]) / __builtin_sqrt(v[i]);
    }
}
