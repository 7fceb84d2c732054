void residual(int n, const int *restrict left, const int *restrict right, const double *restrict flux, double *restrict res)
{
    for (int i = 0; i < 1024; i++)
        res[i] = 0;
    for (int e = 0; e < n; e++)
        res[left[e]] += flux[e];
    for (int e = 0; e < n; e++)
        res[right[e] & 1023] -= flux[e];
}
