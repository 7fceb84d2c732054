void normalise(int n, float total, float *restrict x)
{
    float share = 1.0f / total;
    for (int i = 0; i < n; i++)
        x[i] = x[i] * share + 0.5f;
}
