#include <stdint.h>
void histogram(int n, const uint8_t *restrict in, uint32_t *restrict count)
{
    uint32_t other[256];
    for (int i = 0; i < 256; i++)
        count[i] = other[i] = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        count[in[i]]++;
        other[in[i + 1]]++;
    }
    for (int i = 0; i < 256; i++)
        count[i] += other[i];
}
