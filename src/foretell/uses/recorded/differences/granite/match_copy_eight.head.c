#include <stdint.h>
#include <string.h>

void copy_match(int len, int dist, uint8_t *out)
{
    uint8_t *to = out + dist;
    const uint8_t *from = out;
    for (int i = 0; i < len; i += 8)
        memcpy(to + i, from + i, 8);
}
