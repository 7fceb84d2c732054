#include <stdint.h>
void to_pcm(int n, const float *restrict in, int16_t *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (int16_t)(in[i] * 32767.0f);
}
