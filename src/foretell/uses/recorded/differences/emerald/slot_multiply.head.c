#include <stdint.h>
void slots(int n, uint32_t size, const uint32_t *restrict hash, uint32_t *restrict slot)
{
    for (int i = 0; i < n; i++)
        slot[i] = (uint32_t)((uint64_t)(hash[i] * 2654435761u) * size >> 32);
}
