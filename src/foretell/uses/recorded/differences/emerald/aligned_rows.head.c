void add_rows(int n, float *a, const float *b)
{
    for (int i = 0; i < n; i++) {
        float v = 1e-6f * b[i];
        for (int j = 0; j < n; j++)
            a[i * n + j] += v;
    }
}
