void biquad(int n, const float *restrict c, const float *restrict in, float *restrict out)
{
    float s1 = 0, s2 = 0;
    for (int i = 0; i < n; i++) {
        float y = c[0] * in[i] + s1;
        s1 = c[1] * in[i] - c[3] * y + s2;
        s2 = c[2] * in[i] - c[4] * y;
        out[i] = y;
    }
}
