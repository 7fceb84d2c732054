#include <stdint.h>
void scale_row(int n, float step, const uint8_t *restrict in, uint8_t *restrict out)
{
    uint32_t fixed = (uint32_t)(step * 65536.0f), x = 0;
    for (int i = 0; i < n - 1; i++) {
        uint32_t k = x >> 16, t = x >> 8 & 255;
        out[i] = (uint8_t)(((256 - t) * in[k] + t * in[k + 1] + 128) >> 8);
        x += fixed;
    }
}
