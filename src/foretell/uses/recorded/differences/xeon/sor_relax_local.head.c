void relax(int n, double *u, const double *f)
{
    for (int i = 1; i < n - 1; i++) {
        double left = u[i * n];
        for (int j = 1; j < n - 1; j++) {
            double rest = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j + 1] - f[i * n + j];
            left = 0.25 * (rest + left);
            u[i * n + j] = left;
        }
    }
}
