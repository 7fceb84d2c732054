#include <stdint.h>
void zigzag(int n, const int32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        if (in[i] < 0)
            out[i] = ((uint32_t)~in[i] << 1) + 1;
        else
            out[i] = (uint32_t)in[i] << 1;
    }
}
