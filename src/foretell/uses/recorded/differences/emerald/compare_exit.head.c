void equal_blocks(int n, const unsigned char *restrict a, const unsigned char *restrict b, int *restrict same)
{
    *same = 0;
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return;
    *same = 1;
}
