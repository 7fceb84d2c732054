void primitive(int n, const double *restrict q, double *restrict w)
{
    for (int i = 0; i < n; i++) {
        double by = 1 / q[i], u = q[n + i] * by, v = q[2 * n + i] * by;
        w[i] = q[i];
        w[n + i] = u;
        w[2 * n + i] = v;
        w[3 * n + i] = 0.4 * (q[3 * n + i] - 0.5 * (q[n + i] * u + q[2 * n + i] * v));
    }
}
