#include <stdint.h>
void crc(int n, const uint8_t *restrict data, const uint32_t *restrict table, uint32_t *restrict out)
{
    uint32_t c = 0xffffffffu;
    for (int i = 0; i < n; i++)
        c = c >> 8 ^ table[(c ^ data[i]) & 255];
    *out = ~c;
}
