void careful_dot(int n, const double *restrict x, const double *restrict y, double *restrict out)
{
    double sum = 0, lost = 0;
    for (int i = 0; i < n; i++) {
        double term = x[i] * y[i] - lost;
        double next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    *out = sum;
}
