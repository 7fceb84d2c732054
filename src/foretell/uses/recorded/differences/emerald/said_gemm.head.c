/* c += 1e-9 a b, row by row; the middle loop runs over k so that rows of b are read in order */
void small_gemm(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) /* vectorizes */
                c[i * n + j] += 1e-9 * a[i * n + k] * b[k * n + j];
}
