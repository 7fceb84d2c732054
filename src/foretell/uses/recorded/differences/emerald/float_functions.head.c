#include <math.h>
void decay(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = expf(-x[i]);
}
