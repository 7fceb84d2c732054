#include <stdint.h>
void crc_bits(int n, const uint8_t *restrict in, int *restrict out)
{
    uint32_t crc = 0xffffffffu;
    for (int i = 0; i < n; i++) {
        crc ^= in[i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    out[0] = (int)crc;
}
