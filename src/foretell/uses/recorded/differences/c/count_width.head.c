void count(int n, const int *restrict a, long *restrict out)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    out[0] = s;
}
