void poly8(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double t = x[i];
        y[i] = ((((((0.1 * t + 0.2) * t + 0.3) * t + 0.4) * t + 0.5) * t + 0.6) * t + 0.7) * t + 0.8;
    }
}
