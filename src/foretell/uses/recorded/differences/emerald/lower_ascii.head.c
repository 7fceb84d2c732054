void lower(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    static const char shift[2] = {0, 32};
    for (int i = 0; i < n; i++) {
        unsigned char c = in[i];
        out[i] = c + shift[c >= 65 && c <= 90];
    }
}
