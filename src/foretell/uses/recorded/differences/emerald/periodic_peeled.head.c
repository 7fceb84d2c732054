void laplacian(int n, const float *restrict u, float *restrict out)
{
    out[0] = u[n - 1] - 2 * u[0] + u[1];
    for (int i = 1; i < n - 1; i++)
        out[i] = u[i - 1] - 2 * u[i] + u[i + 1];
    out[n - 1] = u[n - 2] - 2 * u[n - 1] + u[0];
}
