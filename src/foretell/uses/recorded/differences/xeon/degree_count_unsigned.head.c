void degrees(int n, const int *restrict to, int *restrict d)
{
    for (unsigned i = 0; i < (unsigned)n; i++)
        d[(unsigned)to[i]] += 1;
}
