void rotate(int n, const float *restrict z, float *restrict w)
{
    for (int i = 0; i < n; i++) {
        w[2 * i] = 0.8f * z[2 * i] - 0.6f * z[2 * i + 1];
        w[2 * i + 1] = 0.6f * z[2 * i] + 0.8f * z[2 * i + 1];
    }
}
