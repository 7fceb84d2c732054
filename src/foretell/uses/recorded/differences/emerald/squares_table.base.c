#include <stdint.h>
void energies(int n, const uint8_t *restrict level, const int *restrict square, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = square[level[i]];
}
