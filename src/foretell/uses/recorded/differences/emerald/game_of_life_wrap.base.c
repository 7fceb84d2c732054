void neighbours(int w, int h, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = in[y * w + (x + 1) % w] + in[y * w + (x + w - 1) % w];
}
