#include <stdint.h>
#include <string.h>

void match_length(int n, const uint8_t *a, const uint8_t *b, int *len)
{
    int k = 0;
    while (k + 8 <= n) {
        uint64_t x, y;
        memcpy(&x, a + k, 8);
        memcpy(&y, b + k, 8);
        if (x != y)
            break;
        k += 8;
    }
    while (k < n && a[k] == b[k])
        k++;
    *len = k;
}
