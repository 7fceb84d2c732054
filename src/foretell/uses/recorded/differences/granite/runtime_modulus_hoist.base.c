#include <stdint.h>

void scatter_slot(int n, uint32_t m, const uint32_t *h, uint32_t *out)
{
    for (int i = 0; i < n; ++i)
        out[i] = h[i] % m;
}
