#include <stdint.h>
void ones(int n, const uint32_t *restrict in, uint32_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        uint32_t count = 0;
        for (int k = 0; k < 32; k++)
            count += in[i] >> k & 1;
        out[i] = count;
    }
}
