#include <stdint.h>
void apply_levels(int n, const int32_t *restrict table, const uint8_t *restrict in, uint8_t *restrict out)
{
    uint8_t small[256];
    for (int i = 0; i < 256; i++)
        small[i] = (uint8_t)table[i];
    for (int i = 0; i < n; i++)
        out[i] = small[in[i]];
}
