void lookup_all(int n, int m, const int *restrict sorted, const int *restrict keys, int *restrict out)
{
    for (int i = 0; i < m; i++) {
        int low = 0;
        for (int step = n / 2; step > 0; step /= 2)
            if (sorted[low + step - 1] < keys[i])
                low += step;
        out[i] = low;
    }
}
