#include <stdint.h>

void crc16_update(int n, const uint8_t *data, uint16_t *crc)
{
    uint16_t c = *crc;
    while (n--) {
        c ^= (uint16_t)(*data++ << 8);
        for (int bit = 0; bit < 8; bit++)
            c = (c & 0x8000) ? (uint16_t)(c << 1 ^ 0x1021) : (uint16_t)(c << 1);
    }
    *crc = c;
}
