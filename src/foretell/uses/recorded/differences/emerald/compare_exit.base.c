void equal_blocks(int n, const unsigned char *restrict a, const unsigned char *restrict b, int *restrict same)
{
    int different = 0;
    for (int i = 0; i < n; i++)
        different |= a[i] ^ b[i];
    *same = !different;
}
