#include <stdint.h>
void count_fields(int n, const uint8_t *restrict in, int *restrict found)
{
    uint8_t kind[256];
    int counts[4] = {0};
    for (int c = 0; c < 256; c++)
        kind[c] = c < 80 ? 0 : c < 160 ? 1 : c < 200 ? 2 : 3;
    for (int i = 0; i < n; i++)
        counts[kind[in[i]]]++;
    found[0] = counts[0];
    found[1] = counts[1];
    found[2] = counts[2];
}
