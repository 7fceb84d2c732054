void smooth_and_edge(int n, const float *restrict in, float *restrict lo, float *restrict hi)
{
    for (int i = 1; i <= n; i++) {
        lo[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
        hi[i] = in[i] - lo[i];
    }
}
