void powers(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double p = x[i] * x[i];
        p *= p;
        y[i] = p * p;
    }
}
