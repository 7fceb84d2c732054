#include <stdint.h>
#include <string.h>

void all_ascii(int n, const uint8_t *text, int *ok)
{
    uint64_t high = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, text + i, 8);
        high |= word & 0x8080808080808080u;
    }
    for (; i < n; i++)
        high |= text[i] & 0x80;
    *ok = high == 0;
}
