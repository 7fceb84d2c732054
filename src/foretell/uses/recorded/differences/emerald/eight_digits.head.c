#include <stdint.h>
#include <string.h>
void parse_fixed(int n, const uint8_t *restrict text, int64_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint64_t v;
        memcpy(&v, text + 8 * i, 8);
        v = (v & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
        v = (v & 0x00ff00ff00ff00ff) * 6553601 >> 16;
        out[i] = (int64_t)((v & 0x0000ffff0000ffff) * 42949672960001 >> 32);
    }
}
