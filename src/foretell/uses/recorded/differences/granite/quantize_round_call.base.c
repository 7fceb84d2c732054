#include <math.h>

void quantize(int n, const float *x, int *q)
{
    for (int i = 0; i < n; i++)
        q[i] = (int)roundf(x[i] * 127.0f);
}
