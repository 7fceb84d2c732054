void stamp_rows(int n, int w, int *v)
{
    int column = 0;
    for (int i = 0; i < n; i++) {
        if (column == 0)
            v[i] = i;
        if (++column == w)
            column = 0;
    }
}
