#include <stdint.h>
#include <string.h>
void read_words(int n, const uint8_t *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++)
        memcpy(&out[i], in + 4 * i, 4);
}
