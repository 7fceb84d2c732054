void differences(int n, const double *restrict x, double *restrict d)
{
    for (int i = 0; i < n; i++) {
        if (i == 0)
            d[i] = 0;
        else
            d[i] = x[i] - x[i - 1];
    }
}
