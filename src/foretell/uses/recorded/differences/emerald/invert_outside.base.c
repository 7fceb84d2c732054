#include <stdint.h>
void draw(int n, int invert, const uint8_t *in, uint8_t *out)
{
    for (int i = 0; i < n; i++) {
        if (invert)
            out[i] = 255 - in[i];
        else
            out[i] = in[i];
    }
}
