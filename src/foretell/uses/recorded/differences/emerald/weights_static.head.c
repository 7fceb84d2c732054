static float __attribute__((noinline)) weighted(const float *in, int phase)
{
    static const float weight[16] = {0.01f, 0.05f, 0.12f, 0.2f, 0.24f, 0.2f, 0.12f, 0.05f,
                                     0.02f, 0.06f, 0.13f, 0.21f, 0.23f, 0.19f, 0.11f, 0.04f};
    return weight[phase & 15] * in[0] + weight[(phase + 5) & 15] * in[4];
}
void smoothed(int n, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = weighted(in + i, i);
}
