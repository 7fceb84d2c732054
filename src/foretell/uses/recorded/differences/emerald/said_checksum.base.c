#include <stdint.h>
void ones_sum(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i];
    *out = ~(uint32_t)(sum + (sum >> 32));
}
