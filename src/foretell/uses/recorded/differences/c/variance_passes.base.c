void variance(int n, const double *restrict x, double *restrict out)
{
    double mean = 0, square = 0;
    for (int i = 0; i < n; i++)
        mean += x[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    out[0] = mean;
    out[1] = square / n;
}
