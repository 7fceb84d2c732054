void triad(int n, double *a, const double *b, const double *c, double s)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}
double dotp(int n, const double *a, const double *b)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 64)
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
void coll(int n, int m, double *a, const double *b)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = 2 * b[i * m + j];
}
