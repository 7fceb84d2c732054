/* LU decomposition without pivoting, the update of the remaining matrix: one launch for every k. */
void lu(int n, double a[n][n], double factor[n], double pivot_row[n])
{
    for (int k = 0; k < n; k++)
        #pragma acc parallel loop copy(a) copyin(factor, pivot_row)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor[i] * pivot_row[j];
}
