#include <stdint.h>

void scale_pcm(int n, const int16_t *restrict in, int16_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        int32_t v = in[i] * 23170 >> 15;
        out[i] = v > 32767 ? 32767 : v < -32768 ? -32768 : v;
    }
}
