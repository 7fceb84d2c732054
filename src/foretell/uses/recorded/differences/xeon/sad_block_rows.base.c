void block_sad(int n, const unsigned char *restrict a, const unsigned char *restrict b, int *restrict out)
{
    for (int r = 0; r < n; r++) {
        int s = 0;
        for (int c = 0; c < 64; c++) {
            int d = a[c * n + r] - b[c * n + r];
            s += d < 0 ? -d : d;
        }
        out[r] = s;
    }
}
