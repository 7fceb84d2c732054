void conjugate_product(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < n; i++) {
        c[i] = a[i] * b[i] + a[n + i] * b[n + i];
        c[n + i] = a[n + i] * b[i] - a[i] * b[n + i];
    }
}
