void dscal(int n, int inc, double a, double *x)
{
    for (int i = 0; i < n; i++)
        x[(long)i * inc] *= a;
}
