#include <stdint.h>
void unvisited(int n, const uint32_t *restrict to, const uint8_t *restrict seen, const uint64_t *restrict bits, int *restrict count)
{
    (void)bits;
    int k = 0;
    for (int e = 0; e < n; e++)
        if (!(seen[to[e] & 4095] & 1))
            k += (int)(to[e] >> 20);
    *count = k;
}
