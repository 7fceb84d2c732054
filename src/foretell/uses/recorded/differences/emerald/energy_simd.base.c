void energy(int n, const double *restrict x, double *restrict out)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    out[0] = sum;
}
