#include <stdint.h>
#include <string.h>
void unpack24(int n, const uint8_t *restrict in, int32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint32_t word;
        memcpy(&word, in + 3 * i, 4);
        out[i] = (int32_t)(word << 8) >> 8;
    }
}
