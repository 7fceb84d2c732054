#include <stdint.h>
static uint32_t turned(uint32_t v, int k) { return v << k | v >> (32 - k); }
void digest(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    uint32_t h = 374761393u;
    for (int i = 0; i < n; i++)
        h = turned(h + in[i] * 2246822519u, 13) * 2654435761u;
    *out = h;
}
