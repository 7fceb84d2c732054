#include <stdint.h>

void scale_ticks(int n, int by, const uint32_t *in, uint32_t *out)
{
    uint32_t whole = 1000u / (uint32_t)by;
    for (int i = 0; i < n; i++)
        out[i] = in[i] * whole + in[i] / (uint32_t)by;
}
