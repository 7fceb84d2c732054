void tones(int n, const double *restrict in, const double *restrict c, double *restrict power)
{
    for (int k = 0; k < 8; k++) {
        double s1 = 0, s2 = 0;
        for (int i = 0; i < n; i++) {
            double s = in[i] + c[k] * s1 - s2;
            s2 = s1;
            s1 = s;
        }
        power[k] = s1 * s1 + s2 * s2 - c[k] * s1 * s2;
    }
}
