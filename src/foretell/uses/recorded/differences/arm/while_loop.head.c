void negate(int n, double *restrict x)
{
    for (int i = n - 1; i >= 0; i--)
        x[i] = -x[i];
}
