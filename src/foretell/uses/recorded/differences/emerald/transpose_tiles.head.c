void transpose(int n, const float *restrict a, float *restrict b)
{
    for (int ii = 0; ii < n; ii += 8)
        for (int jj = 0; jj < n; jj += 8)
            for (int i = ii; i < ii + 8; i++)
                for (int j = jj; j < jj + 8; j++)
                    b[j * n + i] = a[i * n + j];
}
