#include <stdint.h>
void count_characters(int n, const uint8_t *restrict in, int *restrict found)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        if ((in[i] & 0xc0) == 0x80)
            continue;
        k++;
        found[0] = k;
    }
}
