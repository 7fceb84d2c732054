void take(int n, int size, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        if (i >= size)
            return;
        out[i] = 2.0f * in[i];
    }
}
