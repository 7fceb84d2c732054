#include <stdint.h>
void fill_random(int n, const uint64_t *restrict seed, uint64_t *restrict out)
{
    uint64_t s = seed[0], t = seed[1] + 5;
    for (int i = 0; i + 1 < n; i += 2) {
        s ^= s << 13, t ^= t << 13;
        s ^= s >> 7, t ^= t >> 7;
        s ^= s << 17, t ^= t << 17;
        out[i] = s;
        out[i + 1] = t;
    }
}
