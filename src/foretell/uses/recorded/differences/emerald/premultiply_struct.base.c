struct pixel { unsigned char r, g, b, a; };
void premultiply(int n, struct pixel *p)
{
    for (int i = 0; i < n; i++) {
        p[i].r = p[i].r * p[i].a / 256;
        p[i].g = p[i].g * p[i].a / 256;
        p[i].b = p[i].b * p[i].a / 256;
    }
}
