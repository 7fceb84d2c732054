#include <stdint.h>

static const uint8_t five[32] = {0,   8,   16,  24,  32,  41,  49,  57,  65,  74,  82,  90,  98,  106, 115, 123,
                                 131, 139, 148, 156, 164, 172, 180, 189, 197, 205, 213, 222, 230, 238, 246, 255};

void expand_565(int n, const uint16_t *src, uint32_t *dst)
{
    for (int i = 0; i < n; i++) {
        uint32_t p = src[i];
        uint32_t r = five[p >> 11], g = ((p >> 5) & 63) * 259 + 33 >> 6, b = five[p & 31];
        dst[i] = r << 16 | g << 8 | b;
    }
}
