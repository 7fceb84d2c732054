#include <stdint.h>

void morton2(int n, const uint32_t *x, const uint32_t *y, uint32_t *code)
{
    for (int i = 0; i < n; i++) {
        uint32_t c = 0;
        for (int b = 0; b < 16; b++)
            c |= (x[i] >> b & 1u) << 2 * b | (y[i] >> b & 1u) << (2 * b + 1);
        code[i] = c;
    }
}
