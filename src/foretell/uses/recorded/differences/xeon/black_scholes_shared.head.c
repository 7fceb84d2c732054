void greeks(int n, const double *restrict s, const double *restrict v, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        double root = __builtin_sqrt(v[i]), d = s[i] / root;
        double h = 0.5 * v[i] * root;
        a[i] = d + h;
        b[i] = d - h;
    }
}
