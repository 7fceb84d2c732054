void advect(int n, const double *restrict q, const double *restrict u, double *restrict out)
{
    for (int i = 1; i < n; i++) {
        if (u[i] > 0.5)
            out[i] = q[i] - 0.1 * (q[i] - q[i - 1]);
        else
            out[i] = q[i] - 0.1 * (q[i + 1] - q[i]);
    }
}
