void any_nan(int n, const double *restrict x, int *restrict found)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * 0.0;
    found[0] = sum != 0.0;
}
