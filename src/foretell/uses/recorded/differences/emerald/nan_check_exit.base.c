void any_nan(int n, const double *restrict x, int *restrict found)
{
    int nan = 0;
    for (int i = 0; i < n; i++)
        if (x[i] != x[i])
            nan = 1;
    found[0] = nan;
}
