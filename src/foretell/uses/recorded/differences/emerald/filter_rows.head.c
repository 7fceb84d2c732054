void select_rows(int n, int limit, const int *restrict key, int *restrict rows, int *restrict count)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        rows[k] = i;
        k += key[i] < limit;
    }
    *count = k;
}
