#include <stdint.h>
void fill_random(int n, uint32_t *out)
{
    uint32_t s = 12345;
    for (int i = 0; i < n; i++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        out[i] = s;
    }
}
