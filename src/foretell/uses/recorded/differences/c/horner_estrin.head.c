void evaluate(int n, double v, const double *restrict c, double *restrict out)
{
    double s = 0, square = v * v;
    for (int i = 0; i < n; i += 2)
        s = s * square + (c[i] * v + c[i + 1]);
    out[0] = s;
}
