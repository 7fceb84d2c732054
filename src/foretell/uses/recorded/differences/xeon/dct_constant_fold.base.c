void dct8(int n, const float *restrict in, const float *restrict c, float *restrict out)
{
    for (int b = 0; b < n; b++)
        for (int k = 0; k < 8; k++) {
            float s = 0;
            for (int i = 0; i < 8; i++)
                s += c[k * 8 + i] * in[b * 8 + i];
            out[b * 8 + k] = s;
        }
}
