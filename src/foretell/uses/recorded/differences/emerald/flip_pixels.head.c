#include <stdint.h>
#include <string.h>
void mirror(int n, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            uint32_t pixel;
            memcpy(&pixel, in + (i * n + n - 1 - j) * 4, 4);
            memcpy(out + (i * n + j) * 4, &pixel, 4);
        }
}
