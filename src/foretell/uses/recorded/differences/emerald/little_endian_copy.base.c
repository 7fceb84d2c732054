#include <stdint.h>
void read_words(int n, const uint8_t *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        const uint8_t *p = in + 4 * i;
        out[i] = (int)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
    }
}
