#include <stdint.h>
void slots(int n, uint32_t size, const uint32_t *restrict hash, uint32_t *restrict slot)
{
    for (int i = 0; i < n; i++)
        slot[i] = (hash[i] * 2654435761u) % size;
}
