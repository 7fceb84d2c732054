extern "C" {
void green(int n, const float *in, float *__restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.3f * in[4 * i] + 0.6f * in[4 * i + 1] + 0.1f * in[4 * i + 2];
}
}
