#include <stdint.h>
void zigzag(int n, const int32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (uint32_t)in[i] << 1 ^ (uint32_t)(in[i] >> 31);
}
