#include <stdint.h>
void find_marks(int n, const uint8_t *restrict in, int *restrict at, int *restrict count)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        at[k] = i;
        k += in[i] >> 7;
    }
    *count = k;
}
