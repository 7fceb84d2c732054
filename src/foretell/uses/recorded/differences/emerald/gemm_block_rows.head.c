void product_block(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 3 < n; j += 4) {
            double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            for (int k = 0; k < n; k++) {
                double v = a[i * n + k];
                s0 += v * b[k * n + j];
                s1 += v * b[k * n + j + 1];
                s2 += v * b[k * n + j + 2];
                s3 += v * b[k * n + j + 3];
            }
            c[i * n + j] = s0;
            c[i * n + j + 1] = s1;
            c[i * n + j + 2] = s2;
            c[i * n + j + 3] = s3;
        }
}
