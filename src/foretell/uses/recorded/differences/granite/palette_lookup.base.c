#include <stdint.h>

void expand_565(int n, const uint16_t *src, uint32_t *dst)
{
    for (int i = 0; i < n; i++) {
        uint32_t p = src[i];
        uint32_t r = (p >> 11) * 255 / 31, g = ((p >> 5) & 63) * 255 / 63, b = (p & 31) * 255 / 31;
        dst[i] = r << 16 | g << 8 | b;
    }
}
