void shortest_paths(int n, int *d)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            const int through = d[i * n + k];
            const int *restrict from = d + k * n;
            if (i == k)
                continue;
            int *restrict row = d + i * n;
            for (int j = 0; j < n; j++) {
                int other = through + from[j];
                row[j] = other < row[j] ? other : row[j];
            }
        }
}
