void normalise(int n, float total, float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] / total + 0.5f;
}
