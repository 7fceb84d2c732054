#include <stdint.h>
void mirror(int n, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int c = 0; c < 4; c++)
                out[(i * n + j) * 4 + c] = in[(i * n + n - 1 - j) * 4 + c];
}
