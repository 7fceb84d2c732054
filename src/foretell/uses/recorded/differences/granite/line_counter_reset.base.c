void stamp_rows(int n, int w, int *v)
{
    for (int i = 0; i < n; i++)
        if (i % w == 0)
            v[i] = i;
}
