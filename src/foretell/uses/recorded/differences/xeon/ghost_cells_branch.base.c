void diffuse(int n, int periodic, const double *restrict u, double *restrict v)
{
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? u[i - 1] : periodic ? u[n - 1] : u[0];
        double right = i < n - 1 ? u[i + 1] : periodic ? u[0] : u[n - 1];
        v[i] = u[i] + 0.1 * (left - 2 * u[i] + right);
    }
}
