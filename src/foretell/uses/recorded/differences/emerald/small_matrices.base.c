void multiply3(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int m = 0; m < n; m++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                float sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += a[9 * m + 3 * i + k] * b[9 * m + 3 * k + j];
                c[9 * m + 3 * i + j] = sum;
            }
}
