#include <stdint.h>
/* The checksum of a header: the complement of the sum of its words, with end-around carry. */
void ones_sum(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    uint64_t sum = 0; /* carries collect in the upper half */
    for (int i = 0; i < n; i++)
        sum += in[i];
    *out = ~(uint32_t)(sum + (sum >> 32));
}
