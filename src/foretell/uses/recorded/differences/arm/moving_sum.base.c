void moving(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 16; k++)
            s += x[i + k];
        y[i] = s;
    }
}
