#include <stdint.h>
void adler(int n, const uint8_t *restrict data, uint32_t *restrict sum)
{
    uint32_t a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a += data[i];
        b += a;
    }
    *sum = (b % 65521) << 16 | a % 65521;
}
