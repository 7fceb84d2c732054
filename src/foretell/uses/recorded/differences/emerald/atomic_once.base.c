#include <stdint.h>
void count_marked(int n, const uint8_t *restrict mark, int *total)
{
    for (int i = 0; i < n; i++)
        __atomic_fetch_add(total, mark[i] & 1, __ATOMIC_RELAXED);
}
