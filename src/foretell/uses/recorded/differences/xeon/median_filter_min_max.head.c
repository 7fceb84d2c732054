void median3(int n, const int *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++) {
        int a = x[i], b = x[i + 1], c = x[i + 2];
        int low = a < b ? a : b, high = a < b ? b : a;
        int kept = c < high ? c : high;
        y[i] = kept > low ? kept : low;
    }
}
