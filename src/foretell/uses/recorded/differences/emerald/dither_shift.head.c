#include <stdint.h>
void dither(int n, int w, const int *restrict in, uint8_t *restrict out)
{
    (void)w;
    int error = 0;
    for (int i = 0; i < n; i++) {
        int v = (in[i] & 255) + error;
        out[i] = v > 127;
        error = ((v - (v > 127) * 255) * 7) >> 4;
    }
}
