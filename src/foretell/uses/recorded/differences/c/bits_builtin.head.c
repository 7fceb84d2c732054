void bits(int n, const long *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = __builtin_popcountl(x[i]);
}
