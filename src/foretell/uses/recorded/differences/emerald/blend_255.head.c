#include <stdint.h>
void fade(int n, int alpha, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        int v = in[i] * alpha + out[i] * (255 - alpha) + 128;
        out[i] = (v + (v >> 8)) >> 8;
    }
}
