void sum_squares(int n, const int *restrict x, long *restrict out)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += (long)x[i] * x[i];
    out[0] = s;
}
