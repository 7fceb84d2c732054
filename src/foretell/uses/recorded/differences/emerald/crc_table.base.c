#include <stdint.h>
void crc(int n, const uint8_t *restrict data, const uint32_t *restrict table, uint32_t *restrict out)
{
    (void)table;
    uint32_t c = 0xffffffffu;
    for (int i = 0; i < n; i++) {
        c ^= data[i];
        for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (0xedb88320u & -(c & 1));
    }
    *out = ~c;
}
