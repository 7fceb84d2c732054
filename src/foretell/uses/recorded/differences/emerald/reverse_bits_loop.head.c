static unsigned __attribute__((noinline)) reversed(unsigned v, int bits)
{
    unsigned out = 0;
    for (int k = 0; k < bits; k++) {
        out = out << 1 | (v & 1);
        v >>= 1;
    }
    return out;
}
void reversed_indices(int n, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (int)reversed((unsigned)i, 8);
}
