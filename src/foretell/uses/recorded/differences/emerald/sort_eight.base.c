void sort_blocks(int n, const int *restrict in, int *restrict out)
{
    for (int b = 0; b < n; b++) {
        int *v = out + 8 * b;
        for (int i = 0; i < 8; i++) {
            int key = in[8 * b + i], j = i;
            while (j > 0 && v[j - 1] > key) {
                v[j] = v[j - 1];
                j--;
            }
            v[j] = key;
        }
    }
}
