void tones(int n, const double *restrict in, const double *restrict c, double *restrict power)
{
    double s1[8] = {0}, s2[8] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            double s = in[i] + c[k] * s1[k] - s2[k];
            s2[k] = s1[k];
            s1[k] = s;
        }
    for (int k = 0; k < 8; k++)
        power[k] = s1[k] * s1[k] + s2[k] * s2[k] - c[k] * s1[k] * s2[k];
}
