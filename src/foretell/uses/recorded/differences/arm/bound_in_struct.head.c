void fill_up(int n, float value, float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] += value;
}
