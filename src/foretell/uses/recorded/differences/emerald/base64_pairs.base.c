#include <stdint.h>
void encode64(int n, const uint8_t *restrict in, const uint8_t *restrict letters, uint8_t *restrict out)
{
    for (int i = 0, o = 0; i + 2 < n; i += 3, o += 4) {
        uint32_t v = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        out[o] = letters[v >> 18];
        out[o + 1] = letters[v >> 12 & 63];
        out[o + 2] = letters[v >> 6 & 63];
        out[o + 3] = letters[v & 63];
    }
}
