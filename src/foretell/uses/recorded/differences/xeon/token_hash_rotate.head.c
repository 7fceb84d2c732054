void hash_tokens(int n, const int *t, int *out)
{
    unsigned h = 17;
    for (int i = 0; i < n; i++) {
        h ^= (unsigned)t[i];
        h = (h << 5) | (h >> 27);
        h *= 0x9e3779b1u;
    }
    out[0] = (int)h;
}
