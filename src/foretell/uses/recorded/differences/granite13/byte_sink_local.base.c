#include <stdint.h>

void pack_nibbles(int n, const uint8_t *in, uint8_t *out, int *written)
{
    *written = 0;
    for (int i = 0; i + 1 < n; i += 2)
        out[(*written)++] = (uint8_t)((in[i] & 15) << 4 | (in[i + 1] & 15));
}
