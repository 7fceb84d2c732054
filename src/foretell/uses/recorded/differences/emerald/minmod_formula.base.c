static double minmod(double a, double b)
{
    if (a * b <= 0)
        return 0;
    return (a < 0 ? -a : a) < (b < 0 ? -b : b) ? a : b;
}
void slopes(int n, const double *restrict q, double *restrict s)
{
    for (int i = 1; i < n - 1; i++)
        s[i] = minmod(q[i] - q[i - 1], q[i + 1] - q[i]);
}
