#include <stdint.h>
void parse_fixed(int n, const uint8_t *restrict text, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        const uint8_t *t = text + 8 * i;
        uint32_t a = (t[0] - 48) * 10 + t[1] - 48, b = (t[2] - 48) * 10 + t[3] - 48;
        uint32_t c = (t[4] - 48) * 10 + t[5] - 48, d = (t[6] - 48) * 10 + t[7] - 48;
        out[i] = (a * 100 + b) * 10000 + c * 100 + d;
    }
}
