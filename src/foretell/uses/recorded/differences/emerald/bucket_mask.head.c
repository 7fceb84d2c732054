#include <stdint.h>
void buckets(int n, uint32_t size, const uint32_t *restrict keys, uint32_t *restrict slot)
{
    for (int i = 0; i < n; i++)
        slot[i] = keys[i] & (size - 1);
}
