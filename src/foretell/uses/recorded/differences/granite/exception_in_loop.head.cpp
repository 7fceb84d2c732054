extern "C" {
void divide_all(int n, double *a, const double *b)
{
    for (int i = 0; i < n; ++i)
        a[i] /= b[i];
}
}
