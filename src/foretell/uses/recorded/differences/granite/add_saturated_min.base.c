#include <stdint.h>

void brighten(int n, int by, uint8_t *px)
{
    for (int i = 0; i < n; i++) {
        int v = px[i] + by;
        if (v > 255)
            v = 255;
        px[i] = (uint8_t)v;
    }
}
