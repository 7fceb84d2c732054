void drift(int n, float *p, float dt)
{
    for (int i = 0; i < n; i++) {
        p[8 * i] += dt * p[8 * i + 4];
        p[8 * i + 1] += dt * p[8 * i + 5];
        p[8 * i + 2] += dt * p[8 * i + 6];
    }
}
