#include <stdint.h>

void same_keys(int n, const uint8_t *a, const uint8_t *b, int *same)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < 16 && a[16 * i + k] == b[16 * i + k])
            k++;
        count += k == 16;
    }
    *same = count;
}
