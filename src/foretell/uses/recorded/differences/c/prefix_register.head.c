void prefix(int n, const double *a, double *c)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        c[i] = sum;
    }
}
