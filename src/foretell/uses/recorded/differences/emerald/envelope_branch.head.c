void follow(int n, const float *restrict in, float *restrict out)
{
    float level = 0;
    for (int i = 0; i < n; i++) {
        float v = in[i] < 0 ? -in[i] : in[i];
        level += 0.1f * (v - level);
        out[i] = level;
    }
}
