#include <stdint.h>
static uint32_t turned(uint32_t v, int k) { return v << k | v >> (32 - k); }
void digest(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    uint32_t h[4] = {374761393u, 2654435761u, 2246822519u, 0};
    for (int i = 0; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++)
            h[k] = turned(h[k] + in[i + k] * 2246822519u, 13) * 2654435761u;
    *out = turned(h[0], 1) + turned(h[1], 7) + turned(h[2], 12) + turned(h[3], 18);
}
