#include <stdint.h>

static const uint16_t quarter[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
                                     0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef};

void crc16_update(int n, const uint8_t *data, uint16_t *crc)
{
    uint16_t c = *crc;
    while (n--) {
        uint8_t b = *data++;
        c = (uint16_t)(c << 4) ^ quarter[(c >> 12) ^ (b >> 4)];
        c = (uint16_t)(c << 4) ^ quarter[(c >> 12) ^ (b & 15)];
    }
    *crc = c;
}
