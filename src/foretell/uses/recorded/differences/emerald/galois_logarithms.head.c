#include <stdint.h>
void scale_symbols(int n, int by, const uint8_t *restrict in, const uint8_t *restrict logs, const uint8_t *restrict powers, uint8_t *restrict out)
{
    uint8_t product[256];
    product[0] = 0;
    for (int k = 1; k < 256; k++)
        product[k] = powers[logs[k] + logs[by]];
    for (int i = 0; i < n; i++)
        out[i] = product[in[i]];
}
