void echo(int n, int size, const float *restrict in, float *restrict line, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float old = line[i % size];
        out[i] = in[i] + 0.5f * old;
        line[i % size] = in[i] + 0.3f * old;
    }
}
