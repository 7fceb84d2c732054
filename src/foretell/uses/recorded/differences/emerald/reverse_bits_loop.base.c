static unsigned __attribute__((noinline)) reversed(unsigned v, int bits)
{
    if (bits == 1)
        return v & 1;
    int half = bits / 2;
    return reversed(v, half) << (bits - half) | reversed(v >> half, bits - half);
}
void reversed_indices(int n, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (int)reversed((unsigned)i, 8);
}
