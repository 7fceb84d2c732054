void project(int n, const double *restrict p, const double *restrict d, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 3; k++)
            s += p[3 * i + k] * d[k];
        out[i] = s;
    }
}
