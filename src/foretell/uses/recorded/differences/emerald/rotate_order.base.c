#include <stdint.h>
void rotate_image(int w, int h, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[x * h + (h - 1 - y)] = in[y * w + x];
}
