#include <stdint.h>
#include <string.h>
void checksum(int n, const uint8_t *restrict in, const uint32_t *restrict table, uint32_t *restrict out)
{
    uint32_t crc = ~0u;
    for (int i = 0; i + 3 < n; i += 4) {
        uint32_t w;
        memcpy(&w, in + i, 4);
        w ^= crc;
        crc = table[768 + (w & 255)] ^ table[512 + (w >> 8 & 255)] ^ table[256 + (w >> 16 & 255)] ^ table[w >> 24];
    }
    *out = ~crc;
}
