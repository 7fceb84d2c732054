#include <stdint.h>

#define PITCH 400

void blit_rows(int w, int h, const uint8_t *src, uint8_t *dst)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * PITCH + x] = src[y * PITCH + x];
}
