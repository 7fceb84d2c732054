#include <string.h>
void crop(int rows, int width, int stride, const float *in, float *out)
{
    for (int y = 0; y < rows; y++)
        memcpy(out + y * width, in + y * stride, width * sizeof *out);
}
