#include <stdint.h>
void adler(int n, const uint8_t *restrict data, uint32_t *restrict sum)
{
    uint32_t a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    *sum = b << 16 | a;
}
