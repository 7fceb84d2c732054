#include <stdint.h>

void split_rgb(int n, const uint8_t *rgb, uint8_t *r, uint8_t *g, uint8_t *b)
{
    for (int i = 0; i < n; i++)
        r[i] = rgb[3 * i];
    for (int i = 0; i < n; i++)
        g[i] = rgb[3 * i + 1];
    for (int i = 0; i < n; i++)
        b[i] = rgb[3 * i + 2];
}
