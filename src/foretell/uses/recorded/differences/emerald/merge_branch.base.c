void merge(int n, const int *restrict a, const int *restrict b, int *restrict out)
{
    int i = 0, j = 0;
    for (int k = 0; k < 2 * n - 2 && i < n && j < n; k++) {
        if (a[i] <= b[j])
            out[k] = a[i++];
        else
            out[k] = b[j++];
    }
}
