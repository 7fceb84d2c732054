void roots(int n, const int *restrict parent, int *restrict root)
{
    for (int i = 0; i < n; i++) {
        int p = i, up = parent[p];
        while (up != p) {
            p = parent[up];
            up = parent[p];
        }
        root[i] = p;
    }
}
