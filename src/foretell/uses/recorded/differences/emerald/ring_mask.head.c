void echo(int n, unsigned size, const float *restrict in, float *restrict ring, float *restrict out)
{
    unsigned at = 0;
    for (int i = 0; i < n; i++) {
        out[i] = in[i] + 0.5f * ring[at & (size - 1)];
        ring[at & (size - 1)] = in[i];
        at += 1;
    }
}
