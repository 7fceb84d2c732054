void cumulate(int n, int *x)
{
    for (int i = 1; i <= n; i++)
        x[i] += x[i - 1];
}
