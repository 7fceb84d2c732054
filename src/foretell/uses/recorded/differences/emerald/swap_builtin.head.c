#include <stdint.h>
void swap_endian(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = __builtin_bswap32(in[i]);
}
