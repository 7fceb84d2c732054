#include <stdint.h>
void histogram(int n, const uint8_t *restrict in, uint32_t *restrict count)
{
    for (int i = 0; i < 256; i++)
        count[i] = 0;
    for (int i = 0; i < n; i++)
        count[in[i]]++;
}
