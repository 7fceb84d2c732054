#include <stdint.h>

void scale_ticks(int n, int by, const uint32_t *in, uint32_t *out)
{
    for (int i = 0; i < n; i++)
        out[i] = (uint32_t)((uint64_t)in[i] * 1000u / (uint64_t)by);
}
