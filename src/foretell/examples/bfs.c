/* Breadth-first search, one level: the neighbours of every vertex are anywhere in memory. */
void bfs(int n, int degree, int edge[n][degree], int cost[n], int updated[n], int level)
{
    #pragma acc parallel loop copyin(edge) tile(v:32)
    for (int v = 0; v < n; v++)
        for (int e = 0; e < degree; e++)
            if (cost[edge[v][e]] < 0)
                updated[edge[v][e]] = level;
}
