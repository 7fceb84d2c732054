void energy_sum(int n, const short *restrict x, long *restrict out)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    *out = sum;
}
