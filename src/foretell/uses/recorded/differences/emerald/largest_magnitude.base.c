void max_norm(int n, const double *restrict x, double *restrict out)
{
    double m = 0;
    for (int i = 0; i < n; i++) {
        double v = x[i] < 0.5 ? 0.5 - x[i] : x[i] - 0.5;
        if (v > m)
            m = v;
    }
    *out = m;
}
