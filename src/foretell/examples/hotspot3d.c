/* Heat in three dimensions: seven points. */
void hotspot3d(int n, int m, int l, float old[n][m][l], float power[n][m][l], float new[n][m][l],
               float cc, float cn, float ce, float ct)
{
    #pragma acc parallel loop copyin(old, power) copyout(new)
    for (int i = 1; i < n - 1; i++)
        #pragma acc loop tile(j:4)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < l - 1; k++)
                new[i][j][k] = cc * old[i][j][k] + ct * (old[i - 1][j][k] + old[i + 1][j][k])
                             + cn * (old[i][j - 1][k] + old[i][j + 1][k])
                             + ce * (old[i][j][k - 1] + old[i][j][k + 1]) + power[i][j][k];
}
