void hash_tokens(int n, const int *t, int *out)
{
    unsigned h = 17;
    for (int i = 0; i < n; i++)
        h = h * 31u + (unsigned)t[i];
    out[0] = (int)h;
}
