void poly(int n, const double *restrict x, double *restrict y)
{
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        double v = x[i];
        y[i] = ((((v * 0.1 + 0.2) * v + 0.3) * v + 0.4) * v + 0.5) * v + 0.6;
    }
}
