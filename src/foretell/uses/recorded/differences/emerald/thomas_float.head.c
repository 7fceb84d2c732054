void tridiagonal(int n, const float *restrict c, const float *restrict d, float *restrict x)
{
    float w = 0, last = 0;
    for (int i = 0; i < n; i++) {
        w = 1 / (2 - c[i] * w);
        last = (d[i] + c[i] * last) * w;
        x[i] = last;
    }
}
