void project(int n, const double *restrict p, const double *restrict d, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        out[i] = p[3 * i] * d[0] + p[3 * i + 1] * d[1] + p[3 * i + 2] * d[2];
    }
}
