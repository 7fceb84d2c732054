void diffuse(int n, int periodic, const double *restrict u, double *restrict v)
{
    v[0] = u[0] + 0.1 * ((periodic ? u[n - 1] : u[0]) - 2 * u[0] + u[1]);
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    v[n - 1] = u[n - 1] + 0.1 * (u[n - 2] - 2 * u[n - 1] + (periodic ? u[0] : u[n - 1]));
}
