void fletcher(int n, const unsigned char *s, int *out)
{
    unsigned a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + s[i]) % 65535u;
        b = (b + a) % 65535u;
    }
    out[0] = (int)a;
    out[1] = (int)b;
}
