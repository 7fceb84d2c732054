#include <stdint.h>
void fill_random(int n, uint32_t *out)
{
    uint32_t s = 12345;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        out[i] = s;
    }
}
