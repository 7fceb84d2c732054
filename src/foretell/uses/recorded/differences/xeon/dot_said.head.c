/* Sum of products, in order. */
void dot3(int n, const double *x, const double *y, double *out)
{
    double s = 0; /* not compensated */
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    out[0] = s;
}
