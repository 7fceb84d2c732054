#include <stdint.h>
void draw_over(int n, const uint8_t *restrict a, const uint8_t *restrict s, const uint8_t *restrict d, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (uint8_t)((s[i] * a[i] + d[i] * (255 - a[i]) + 127) / 255);
}
