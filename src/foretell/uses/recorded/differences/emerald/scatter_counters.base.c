#include <stdint.h>
void counting_scatter(int n, const uint32_t *restrict in, int64_t *restrict start, uint32_t *restrict out)
{
    for (int k = 0; k < 256; k++)
        start[k] = 7 * k;
    for (int i = 0; i < n; i++)
        out[start[in[i] >> 24]++ % 2000] = in[i];
}
