void group_sums(int n, const unsigned char *restrict group, const int *restrict value, int *restrict sums)
{
    int total = 0, last = group[0];
    for (int i = 0; i < n; i++) {
        if (group[i] != last) {
            sums[last] += total;
            total = 0;
            last = group[i];
        }
        total += value[i];
    }
    sums[last] += total;
}
