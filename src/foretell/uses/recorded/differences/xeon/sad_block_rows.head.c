void block_sad(int n, const unsigned char *restrict a, const unsigned char *restrict b, int *restrict out)
{
    for (int r = 0; r < n; r++) {
        int s = 0;
        for (int c = 0; c < 64; c++) {
            int d = a[r * 64 + c] - b[r * 64 + c];
            s += d < 0 ? -d : d;
        }
        out[r] = s;
    }
}
