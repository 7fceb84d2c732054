extern "C" {
void mark_alive(int n, const unsigned *id, unsigned *bits)
{
    for (int i = 0; i < n; ++i) {
        const unsigned k = id[i] & 2047u;
        bits[k >> 5] |= 1u << (k & 31u);
    }
}
}
