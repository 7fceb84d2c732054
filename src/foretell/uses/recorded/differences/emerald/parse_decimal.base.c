#include <stdint.h>
void parse_fixed(int n, const uint8_t *restrict text, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint32_t v = 0;
        for (int k = 0; k < 8; k++)
            v = v * 10 + (text[8 * i + k] - 48);
        out[i] = v;
    }
}
