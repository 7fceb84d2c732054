void advect(int n, const double *restrict q, const double *restrict u, double *restrict out)
{
    for (int i = 1; i < n; i++) {
        double v = u[i] - 0.5, p = v > 0 ? v : 0, m = v - p;
        out[i] = q[i] - 0.1 * (p * (q[i] - q[i - 1]) + m * (q[i + 1] - q[i]));
    }
}
