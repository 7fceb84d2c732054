void add_offset(int n, int by, int *v)
{
    for (int i = 0; i < n; i++)
        v[i] += by;
}
