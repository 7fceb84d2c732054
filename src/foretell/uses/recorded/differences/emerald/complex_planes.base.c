void conjugate_product(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i + 1] * b[2 * i] - a[2 * i] * b[2 * i + 1];
    }
}
