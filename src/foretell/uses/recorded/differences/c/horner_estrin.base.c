void evaluate(int n, double v, const double *restrict c, double *restrict out)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s * v + c[i];
    out[0] = s;
}
