#include <stdint.h>
void fnv(int n, const uint8_t *restrict data, uint32_t *restrict out)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i++)
        h = (h ^ data[i]) * 16777619u;
    *out = h;
}
