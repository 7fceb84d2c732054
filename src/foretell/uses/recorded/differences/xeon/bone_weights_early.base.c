void skin(int n, const float *restrict w, const float *restrict b, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 4; k++)
            s += w[4 * i + k] * b[k];
        out[i] = s;
    }
}
