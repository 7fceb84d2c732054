#include <stdint.h>
void spread_keys(int n, uint32_t size, const uint32_t *keys, uint32_t *slot)
{
    for (int i = 0; i < n; i++)
        slot[i] = keys[i] % size;
}
