void norm(int n, const double *restrict x, double *restrict out)
{
    double sum = 0, inverse = 1 / 3.0;
    for (int i = 0; i < n; i++)
        sum += (x[i] * inverse) * (x[i] * inverse);
    *out = sum;
}
