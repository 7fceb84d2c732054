#include <stdint.h>
void to_pcm(int n, const float *restrict in, int16_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        float v = in[i] * 32768.0f;
        if (v > 32767.0f)
            v = 32767.0f;
        if (v < -32768.0f)
            v = -32768.0f;
        out[i] = (int16_t)v;
    }
}
