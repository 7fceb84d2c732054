void laplacian(int n, const float *restrict u, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = u[(i + n - 1) % n] - 2 * u[i] + u[(i + 1) % n];
}
