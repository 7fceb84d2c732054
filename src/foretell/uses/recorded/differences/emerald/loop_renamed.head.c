void levels(int n, const float *restrict in, float *restrict out)
{
    for (int k = 0; k < n; k++) {
        const float level = in[k];
        out[k] = level * level * (3.0f - 2.0f * level);
    }
}
