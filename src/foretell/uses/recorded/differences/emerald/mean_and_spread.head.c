void moments(int n, const double *restrict x, double *restrict out)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    out[0] = sum / n;
    out[1] = squares / n;
}
