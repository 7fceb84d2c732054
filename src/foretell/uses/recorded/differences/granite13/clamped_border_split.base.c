static int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

void smooth_clamped(int n, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.25f * in[inside(i - 1, n)] + 0.5f * in[i] + 0.25f * in[inside(i + 1, n)];
}
