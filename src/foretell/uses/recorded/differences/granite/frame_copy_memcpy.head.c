#include <stdint.h>
#include <string.h>

#define PITCH 400

void blit_rows(int w, int h, const uint8_t *src, uint8_t *dst)
{
    for (int y = 0; y < h; y++)
        memcpy(dst + y * PITCH, src + y * PITCH, w);
}
