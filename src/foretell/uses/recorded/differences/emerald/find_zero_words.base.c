#include <stdint.h>
void text_length(int n, const uint8_t *restrict s, int *restrict length)
{
    int i = 0;
    while (i < n && s[i] != 0)
        i++;
    *length = i;
}
