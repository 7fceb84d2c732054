#include <stdint.h>
static uint32_t turned(uint32_t v, int k) { return v << k | v >> (32 - k); }
#define QUARTER(a, b, c, d)                       \
    s[a] += s[b], s[d] = turned(s[d] ^ s[a], 16); \
    s[c] += s[d], s[b] = turned(s[b] ^ s[c], 12); \
    s[a] += s[b], s[d] = turned(s[d] ^ s[a], 8);  \
    s[c] += s[d], s[b] = turned(s[b] ^ s[c], 7);
void mix_state(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int b = 0; b < n; b++) {
        uint32_t s[16];
        for (int k = 0; k < 16; k++)
            s[k] = in[16 * b + k];
        for (int round = 0; round < 10; round++) {
            QUARTER(0, 4, 8, 12)
            QUARTER(1, 5, 9, 13)
            QUARTER(2, 6, 10, 14)
            QUARTER(3, 7, 11, 15)
            QUARTER(0, 5, 10, 15)
            QUARTER(1, 6, 11, 12)
            QUARTER(2, 7, 8, 13)
            QUARTER(3, 4, 9, 14)
        }
        for (int k = 0; k < 16; k++)
            out[16 * b + k] = s[k] + in[16 * b + k];
    }
}
