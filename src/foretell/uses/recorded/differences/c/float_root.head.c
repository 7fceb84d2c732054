#include <math.h>

void roots(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = sqrt(x[i]) + 1.0;
}
