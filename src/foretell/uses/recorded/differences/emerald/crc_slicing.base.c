#include <stdint.h>
void checksum(int n, const uint8_t *restrict in, const uint32_t *restrict table, uint32_t *restrict out)
{
    uint32_t crc = ~0u;
    for (int i = 0; i < n; i++)
        crc = table[(crc ^ in[i]) & 255] ^ crc >> 8;
    *out = ~crc;
}
