#include <stdint.h>
void parse_fixed(int n, const uint8_t *restrict text, int64_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        int64_t v = 0;
        for (int k = 0; k < 8; k++)
            v = v * 10 + (text[8 * i + k] & 15);
        out[i] = v;
    }
}
