#include <stdint.h>

void unfilter_sub(int n, int bpp, const uint8_t *raw, uint8_t *row)
{
    for (int i = 0; i < n; i++)
        row[i] = (uint8_t)(raw[i] + (i >= bpp ? row[i - bpp] : 0));
}
