void tally_above(int n, const int *v, int top, int *out)
{
    int hits = 0;
    for (int i = 0; i < n; i++)
        hits += v[i] > top;
    *out = hits;
}
