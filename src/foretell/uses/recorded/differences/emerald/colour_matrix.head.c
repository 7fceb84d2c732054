void colour_transform(int n, const float *restrict m, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            out[3 * i + c] = m[3 * c] * in[3 * i] + m[3 * c + 1] * in[3 * i + 1] + m[3 * c + 2] * in[3 * i + 2];
}
