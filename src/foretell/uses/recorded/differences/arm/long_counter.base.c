void sum_squares(int n, const int *restrict x, long *restrict out)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    out[0] = s;
}
