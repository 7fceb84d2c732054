void roots(int n, const int *restrict parent, int *restrict root)
{
    for (int i = 0; i < n; i++) {
        int p = i;
        while (parent[p] != p)
            p = parent[p];
        root[i] = p;
    }
}
