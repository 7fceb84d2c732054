void classify(int n, const unsigned char *restrict text, const unsigned char *restrict kinds, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = kinds[text[i]];
}
