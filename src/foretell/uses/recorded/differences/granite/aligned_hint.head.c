void add_rows(int n, float *restrict a, const float *restrict b)
{
    a = __builtin_assume_aligned(a, 64);
    b = __builtin_assume_aligned(b, 64);
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}
