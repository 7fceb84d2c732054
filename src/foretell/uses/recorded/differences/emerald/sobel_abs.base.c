#include <stdint.h>
#include <stdlib.h>
void sobel(int w, int h, const uint8_t *restrict in, int16_t *restrict out)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            const uint8_t *p = in + y * w + x;
            int gx = p[1 - w] - p[-1 - w] + 2 * (p[1] - p[-1]) + p[1 + w] - p[w - 1];
            int gy = p[w - 1] - p[-1 - w] + 2 * (p[w] - p[-w]) + p[w + 1] - p[1 - w];
            out[y * w + x] = abs(gx) + abs(gy);
        }
}
