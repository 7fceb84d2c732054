#include <stdint.h>
void draw(int n, int invert, const uint8_t *in, uint8_t *out)
{
    if (invert)
        for (int i = 0; i < n; i++)
            out[i] = 255 - in[i];
    else
        for (int i = 0; i < n; i++)
            out[i] = in[i];
}
