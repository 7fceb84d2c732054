#include <stdint.h>
#include <string.h>
void digit_counts(int n, const uint32_t *restrict in, uint32_t *restrict count)
{
    memset(count, 0, 512 * sizeof *count);
    for (int i = 0; i < n; i++) {
        count[in[i] & 255]++;
        count[256 + (in[i] >> 8 & 255)]++;
    }
}
