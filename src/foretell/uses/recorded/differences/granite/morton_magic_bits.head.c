#include <stdint.h>

static uint32_t spread(uint32_t v)
{
    v &= 0xffff;
    v = (v | v << 8) & 0x00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

void morton2(int n, const uint32_t *x, const uint32_t *y, uint32_t *code)
{
    for (int i = 0; i < n; i++)
        code[i] = spread(x[i]) | spread(y[i]) << 1;
}
