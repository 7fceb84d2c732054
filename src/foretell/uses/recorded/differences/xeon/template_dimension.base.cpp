extern "C" {
void distances(int n, int d, const double *x, const double *c, double *out)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < d; k++)
            s += (x[i * d + k] - c[k]) * (x[i * d + k] - c[k]);
        out[i] = s;
    }
}
}
