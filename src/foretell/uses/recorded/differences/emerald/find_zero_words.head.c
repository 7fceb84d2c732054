#include <stdint.h>
#include <string.h>
void text_length(int n, const uint8_t *restrict s, int *restrict length)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t w;
        memcpy(&w, s + i, 8);
        if ((w - 0x0101010101010101) & ~w & 0x8080808080808080)
            break;
    }
    while (i < n && s[i] != 0)
        i++;
    *length = i;
}
