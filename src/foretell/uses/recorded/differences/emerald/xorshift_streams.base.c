#include <stdint.h>
void fill_random(int n, const uint64_t *restrict seed, uint64_t *restrict out)
{
    uint64_t s = seed[0];
    for (int i = 0; i < n; i++) {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        out[i] = s;
    }
}
