#include <stdint.h>
void votes(int n, const uint8_t *restrict who, int *restrict count)
{
    for (int i = 0; i < n; i += 2) {
        count[who[i]]++;
        count[256 + who[i + 1]]++;
    }
}
