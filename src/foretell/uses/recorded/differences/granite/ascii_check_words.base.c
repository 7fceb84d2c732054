#include <stdint.h>

void all_ascii(int n, const uint8_t *text, int *ok)
{
    int high = 0;
    for (int i = 0; i < n; i++)
        high |= text[i] & 0x80;
    *ok = high == 0;
}
