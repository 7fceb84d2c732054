#include <stdint.h>
void ones(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint32_t v = in[i];
        v -= v >> 1 & 0x55555555u;
        v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
        v = (v + (v >> 4)) & 0x0f0f0f0fu;
        out[i] = v * 0x01010101u >> 24;
    }
}
