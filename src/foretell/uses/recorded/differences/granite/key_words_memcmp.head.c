#include <stdint.h>
#include <string.h>

void same_keys(int n, const uint8_t *a, const uint8_t *b, int *same)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += memcmp(a + 16 * i, b + 16 * i, 16) == 0;
    *same = count;
}
