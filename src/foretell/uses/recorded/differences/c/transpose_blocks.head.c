void transpose(int n, const double *restrict a, double *restrict b)
{
    for (int ii = 0; ii < n; ii += 16)
        for (int jj = 0; jj < n; jj += 16)
            for (int i = ii; i < ii + 16; i++)
                for (int j = jj; j < jj + 16; j++)
                    b[j * n + i] = a[i * n + j];
}
