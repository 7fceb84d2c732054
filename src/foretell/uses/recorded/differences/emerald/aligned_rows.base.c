void add_rows(int n, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] += 1e-6f * b[i];
}
