void seventh(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double v = 1;
        for (int k = 0; k < 7; k++)
            v *= x[i];
        y[i] = v;
    }
}
