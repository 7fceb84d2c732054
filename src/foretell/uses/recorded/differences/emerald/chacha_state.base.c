#include <stdint.h>
static const int order[8][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
                                {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}};
static uint32_t turned(uint32_t v, int k) { return v << k | v >> (32 - k); }
void mix_state(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int b = 0; b < n; b++) {
        uint32_t s[16];
        for (int k = 0; k < 16; k++)
            s[k] = in[16 * b + k];
        for (int round = 0; round < 10; round++)
            for (int q = 0; q < 8; q++) {
                const int *o = order[q];
                s[o[0]] += s[o[1]], s[o[3]] = turned(s[o[3]] ^ s[o[0]], 16);
                s[o[2]] += s[o[3]], s[o[1]] = turned(s[o[1]] ^ s[o[2]], 12);
                s[o[0]] += s[o[1]], s[o[3]] = turned(s[o[3]] ^ s[o[0]], 8);
                s[o[2]] += s[o[3]], s[o[1]] = turned(s[o[1]] ^ s[o[2]], 7);
            }
        for (int k = 0; k < 16; k++)
            out[16 * b + k] = s[k] + in[16 * b + k];
    }
}
