#include <stdint.h>

void unfilter_sub(int n, int bpp, const uint8_t *raw, uint8_t *row)
{
    for (int i = 0; i < bpp; i++)
        row[i] = raw[i];
    for (int i = bpp; i < n; i++)
        row[i] = (uint8_t)(raw[i] + row[i - bpp]);
}
