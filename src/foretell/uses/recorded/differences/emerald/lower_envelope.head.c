void lower(int n, const int *restrict a, int *restrict best)
{
    for (int i = 0; i < n; i++) {
        int now = best[i];
        best[i] = a[i] > now ? a[i] & 1 : now;
    }
}
