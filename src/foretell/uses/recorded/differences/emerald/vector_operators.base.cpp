extern "C" {
void drift(int n, double dt, const double *x, const double *v, double *out)
{
    for (int i = 0; i < 3 * n; i++)
        out[i] = x[i] + dt * v[i];
}
}
