void degrees(int n, const int *restrict to, int *restrict d)
{
    for (int i = 0; i < n; i++)
        d[to[i]]++;
}
