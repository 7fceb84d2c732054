void fletcher(int n, const unsigned char *s, int *out)
{
    unsigned long long a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        a += s[i];
        b += a;
    }
    out[0] = (int)(a % 65535u);
    out[1] = (int)(b % 65535u);
}
