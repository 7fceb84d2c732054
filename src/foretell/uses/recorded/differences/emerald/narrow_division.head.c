#include <stdint.h>
void quotients(int n, int by, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] / (uint32_t)(by + i);
}
