#include <stdint.h>
void fade(int n, int alpha, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (in[i] * alpha + out[i] * (255 - alpha)) / 255;
}
