void bits(int n, const long *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++) {
        unsigned long v = x[i];
        v = v - ((v >> 1) & 0x5555555555555555);
        v = (v & 0x3333333333333333) + ((v >> 2) & 0x3333333333333333);
        v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
        y[i] = (int)((v * 0x0101010101010101) >> 56);
    }
}
