void drift(int n, float *p, float dt)
{
    float *x = p, *y = p + n, *z = p + 2 * n;
    const float *u = p + 4 * n, *v = p + 5 * n, *w = p + 6 * n;
    for (int i = 0; i < n; i++)
        x[i] += dt * u[i];
    for (int i = 0; i < n; i++)
        y[i] += dt * v[i];
    for (int i = 0; i < n; i++)
        z[i] += dt * w[i];
}
