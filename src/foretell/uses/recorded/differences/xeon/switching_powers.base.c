void switching(int n, const double *restrict r, double *restrict s)
{
    for (int i = 0; i < n; i++) {
        double t = (r[i] - 0.9) / (1.2 - 0.9);
        s[i] = 1 - 6 * t * t * t * t * t + 15 * t * t * t * t - 10 * t * t * t;
    }
}
