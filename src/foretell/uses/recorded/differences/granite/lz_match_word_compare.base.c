#include <stdint.h>

void match_length(int n, const uint8_t *a, const uint8_t *b, int *len)
{
    int k = 0;
    while (k < n && a[k] == b[k])
        k++;
    *len = k;
}
