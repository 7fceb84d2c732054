#include <stdint.h>
void swap_endian(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint32_t v = in[i];
        v = (v & 0xff00ff00u) >> 8 | (v & 0x00ff00ffu) << 8;
        out[i] = v >> 16 | v << 16;
    }
}
