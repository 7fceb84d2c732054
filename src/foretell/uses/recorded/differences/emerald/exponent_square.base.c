void powers(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double p = 1;
        for (int k = 0; k < 8; k++)
            p *= x[i];
        y[i] = p;
    }
}
