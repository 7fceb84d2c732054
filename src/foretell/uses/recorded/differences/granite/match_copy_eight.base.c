#include <stdint.h>

void copy_match(int len, int dist, uint8_t *out)
{
    uint8_t *to = out + dist;
    for (int i = 0; i < len; i++)
        to[i] = to[i - dist];
}
