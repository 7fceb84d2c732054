#include <stdint.h>
void scale_row(int n, float step, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n - 1; i++) {
        float x = step * (float)i;
        int k = (int)x;
        float t = x - (float)k;
        out[i] = (uint8_t)((1 - t) * in[k] + t * in[k + 1] + 0.5f);
    }
}
