#include <stdint.h>

void total_ticks(int n, const int *ticks, int64_t *out)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += ticks[i];
    *out = s;
}
