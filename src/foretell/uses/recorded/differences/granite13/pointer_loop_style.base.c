void add_offset(int n, int by, int *v)
{
    int *end = v + n;
    while (v != end)
        *v++ += by;
}
