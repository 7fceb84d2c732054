#include <stdint.h>
void hex_values(int n, const uint8_t *restrict in, const uint8_t *restrict table, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint8_t c = in[i];
        if (c >= '0' && c <= '9')
            out[i] = c - '0';
        else if (c >= 'a' && c <= 'f')
            out[i] = c - 'a' + 10;
        else
            out[i] = 255;
    }
}
