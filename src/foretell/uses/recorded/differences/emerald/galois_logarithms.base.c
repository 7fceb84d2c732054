#include <stdint.h>
void scale_symbols(int n, int by, const uint8_t *restrict in, const uint8_t *restrict logs, const uint8_t *restrict powers, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] ? powers[logs[in[i]] + logs[by]] : 0;
}
