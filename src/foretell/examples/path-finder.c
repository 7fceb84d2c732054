/* Dynamic programming over a grid, one row from the row before. */
void path(int rows, int n, int cost[rows][n], int before[n + 2], int after[n])
{
    for (int r = 0; r < rows; r++)
        #pragma acc parallel loop copyin(cost, before) copyout(after) tile(i:256)
        for (int i = 0; i < n; i++) {
            int least = before[i + 1];
            if (before[i] < least) least = before[i];
            if (before[i + 2] < least) least = before[i + 2];
            after[i] = cost[r][i] + least;
        }
}
