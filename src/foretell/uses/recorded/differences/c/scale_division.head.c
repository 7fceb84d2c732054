void scale(int n, double s, const double *restrict x, double *restrict y)
{
    double inverse = 1 / s;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * inverse;
}
