void dct8(int n, const float *restrict in, const float *restrict c, float *restrict out)
{
    for (int b = 0; b < n; b++)
        for (int k = 0; k < 4; k++) {
            float s = 0, t = 0;
            for (int i = 0; i < 4; i++) {
                float even = in[b * 8 + i] + in[b * 8 + 7 - i], odd = in[b * 8 + i] - in[b * 8 + 7 - i];
                s += c[2 * k * 8 + i] * even;
                t += c[(2 * k + 1) * 8 + i] * odd;
            }
            out[b * 8 + 2 * k] = s;
            out[b * 8 + 2 * k + 1] = t;
        }
}
