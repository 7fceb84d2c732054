void rotate(int n, const double *restrict z, double *restrict w)
{
    for (int i = 0; i < n; i++) {
        w[2 * i] = 0.8 * z[2 * i] - 0.6 * z[2 * i + 1];
        w[2 * i + 1] = 0.6 * z[2 * i] + 0.8 * z[2 * i + 1];
    }
}
