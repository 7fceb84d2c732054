void poly8(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double t = x[i], t2 = t * t, t4 = t2 * t2;
        double low = (0.7 * t + 0.8) + (0.5 * t + 0.6) * t2;
        double high = (0.3 * t + 0.4) + (0.1 * t + 0.2) * t2;
        y[i] = high * t4 + low;
    }
}
