#include <stdint.h>

void brighten(int n, int by, uint8_t *px)
{
    uint8_t add = (uint8_t)by;
    for (int i = 0; i < n; i++) {
        uint8_t v = (uint8_t)(px[i] + add);
        px[i] = v < add ? 255 : v;
    }
}
