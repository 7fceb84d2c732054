void total(int n, const signed char *restrict a, int *restrict out)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    out[0] = s;
}
