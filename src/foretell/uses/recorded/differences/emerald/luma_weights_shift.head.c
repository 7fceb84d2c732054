#include <stdint.h>
void luma(int n, const uint8_t *restrict rgb, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
}
