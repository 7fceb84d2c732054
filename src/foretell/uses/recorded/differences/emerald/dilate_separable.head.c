#include <stdint.h>
static uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }
void dilate(int n, const uint8_t *restrict in, uint8_t *restrict work, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            work[i * n + j] = larger(larger(in[i * n + j - 1], in[i * n + j]), in[i * n + j + 1]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            out[i * n + j] = larger(larger(work[(i - 1) * n + j], work[i * n + j]), work[(i + 1) * n + j]);
}
