/* C = A + B: the example of the SW26010 paper (Section II-B). */
void vector_add(int n, int m, double A[n][m], double B[n][m], double C[n][m])
{
    #pragma acc parallel loop copyin(A, B) copyout(C)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = A[i][j] + B[i][j];
}
