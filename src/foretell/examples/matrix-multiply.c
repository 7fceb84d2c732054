/* C = A B by rows; B comes through the scratchpad. */
void multiply(int n, int m, int l, double a[n][l], double b[l][m], double c[n][m])
{
    #pragma acc parallel loop copyin(a, b) copy(c) tile(i:4)
    for (int i = 0; i < n; i++)
        #pragma acc loop tile(k:8)
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++)
                c[i][j] += a[i][k] * b[k][j];
}
