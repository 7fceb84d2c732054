#include <stdint.h>
void parities(int n, const uint8_t *restrict in, const uint8_t *restrict table, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint8_t v = in[i];
        v ^= v >> 4;
        v ^= v >> 2;
        v ^= v >> 1;
        out[i] = v & 1;
    }
}
