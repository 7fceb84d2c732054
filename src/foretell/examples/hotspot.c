/* Heat on a chip, one time step in two dimensions. */
void hotspot(int n, int m, float old[n][m], float power[n][m], float new[n][m], float cap, float rx, float ry, float rz)
{
    #pragma acc parallel loop copyin(old, power) copyout(new)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            new[i][j] = old[i][j] + cap * (power[i][j] + (old[i + 1][j] + old[i - 1][j] - 2.0f * old[i][j]) * ry
                        + (old[i][j + 1] + old[i][j - 1] - 2.0f * old[i][j]) * rx + (80.0f - old[i][j]) * rz);
}
