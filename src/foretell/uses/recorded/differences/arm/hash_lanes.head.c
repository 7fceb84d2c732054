void digest(int n, const unsigned *restrict x, unsigned *restrict h)
{
    unsigned a = 17, b = 19, c = 23, d = 29;
    for (int i = 0; i < n; i += 4) {
        a = a * 31u + x[i];
        b = b * 31u + x[i + 1];
        c = c * 31u + x[i + 2];
        d = d * 31u + x[i + 3];
    }
    h[0] = a ^ b ^ c ^ d;
}
