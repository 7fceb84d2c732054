#include <stdint.h>
static uint8_t letter(uint32_t v)
{
    if (v < 26)
        return (uint8_t)('A' + v);
    if (v < 52)
        return (uint8_t)('a' + v - 26);
    if (v < 62)
        return (uint8_t)('0' + v - 52);
    return v == 62 ? '+' : '/';
}
void encode64(int n, const uint8_t *restrict in, const uint8_t *restrict letters, uint8_t *restrict out)
{
    (void)letters;
    for (int i = 0, o = 0; i + 2 < n; i += 3, o += 4) {
        uint32_t v = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        out[o] = letter(v >> 18);
        out[o + 1] = letter(v >> 12 & 63);
        out[o + 2] = letter(v >> 6 & 63);
        out[o + 3] = letter(v & 63);
    }
}
