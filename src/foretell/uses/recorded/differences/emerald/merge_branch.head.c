void merge(int n, const int *restrict a, const int *restrict b, int *restrict out)
{
    int i = 0, j = 0;
    for (int k = 0; k < 2 * n - 2 && i < n && j < n; k++) {
        int x = a[i], y = b[j], first = x <= y;
        out[k] = first ? x : y;
        i += first;
        j += 1 - first;
    }
}
