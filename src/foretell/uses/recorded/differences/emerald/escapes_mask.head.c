#include <stdint.h>
void count_escapes(int n, const uint8_t *restrict in, int *restrict found)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        uint8_t c = in[i] & 63;
        if (c == 9 || c == 10 || c == 13 || c == 34 || c == 39 || c == 47 || c == 60 || c == 62)
            k++;
    }
    *found = k;
}
