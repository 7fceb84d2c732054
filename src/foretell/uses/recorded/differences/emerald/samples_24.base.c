#include <stdint.h>
void unpack24(int n, const uint8_t *restrict in, int32_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (int32_t)((uint32_t)in[3 * i] << 8 | (uint32_t)in[3 * i + 1] << 16 | (uint32_t)in[3 * i + 2] << 24) >> 8;
}
