#include <stdint.h>
void degrees(int n, const uint32_t *restrict from, const uint32_t *restrict to, int *restrict out, int *restrict in)
{
    for (int e = 0; e < n; e++)
        out[from[e] & 1023]++;
    for (int e = 0; e < n; e++)
        in[to[e] >> 22]++;
}
