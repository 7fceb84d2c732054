#include <stdint.h>
static inline uint32_t mix(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    return h;
}
void mix_all(int n, const uint32_t *in, uint32_t *out)
{
    for (int i = 0; i < n; i++)
        out[i] = mix(in[i]);
}
