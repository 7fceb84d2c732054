void lower(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++) {
        unsigned char c = in[i];
        if (c >= 65 && c <= 90)
            c += 32;
        out[i] = c;
    }
}
