void neighbours(int w, int h, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int right = x + 1 == w ? 0 : x + 1, left = x == 0 ? w - 1 : x - 1;
            out[y * w + x] = in[y * w + right] + in[y * w + left];
        }
}
