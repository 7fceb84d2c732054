void rectify(int n, float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] > 0 ? x[i] : 0.01f * x[i];
}
