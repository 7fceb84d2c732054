#include <stdint.h>
void unvisited(int n, const uint32_t *restrict to, const uint8_t *restrict seen, const uint64_t *restrict bits, int *restrict count)
{
    (void)seen;
    int k = 0;
    for (int e = 0; e < n; e++) {
        uint32_t v = to[e] & 4095;
        if (!(bits[v >> 6] >> (v & 63) & 1))
            k += (int)(to[e] >> 20);
    }
    *count = k;
}
