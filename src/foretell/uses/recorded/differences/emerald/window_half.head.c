void apply_window(int n, const float *restrict window, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] * window[i < n / 2 ? i : n - 1 - i];
}
