void distance(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double d = x[i] - 1;
        if (d < 0)
            d = -d;
        y[i] = d;
    }
}
