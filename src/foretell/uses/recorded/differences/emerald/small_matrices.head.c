void multiply3(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int m = 0; m < n; m++) {
                float sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += a[(3 * i + k) * n + m] * b[(3 * k + j) * n + m];
                c[(3 * i + j) * n + m] = sum;
            }
}
