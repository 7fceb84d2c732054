#include <stdint.h>
void apply_levels(int n, const int32_t *restrict table, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (uint8_t)table[in[i]];
}
