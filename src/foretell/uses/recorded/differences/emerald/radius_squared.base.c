#include <math.h>
void near(int n, float radius, const float *restrict x, const float *restrict y, int *restrict found)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        k += sqrtf(x[i] * x[i] + y[i] * y[i]) < radius;
    found[0] = k;
}
