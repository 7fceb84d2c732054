#include <stdint.h>
void find_marks(int n, const uint8_t *restrict in, int *restrict at, int *restrict count)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (in[i] & 128)
            at[k++] = i;
    *count = k;
}
