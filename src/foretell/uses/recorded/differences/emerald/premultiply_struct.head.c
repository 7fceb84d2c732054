void premultiply(int n, unsigned char *plane)
{
    unsigned char *r = plane, *g = plane + n, *b = plane + 2 * n, *a = plane + 3 * n;
    for (int i = 0; i < n; i++) {
        r[i] = r[i] * a[i] / 256;
        g[i] = g[i] * a[i] / 256;
        b[i] = b[i] * a[i] / 256;
    }
}
