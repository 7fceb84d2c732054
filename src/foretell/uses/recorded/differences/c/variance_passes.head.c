void variance(int n, const double *restrict x, double *restrict out)
{
    double sum = 0, square = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        square += x[i] * x[i];
    }
    out[0] = sum / n;
    out[1] = square / n - sum / n * (sum / n);
}
