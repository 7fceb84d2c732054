#include <math.h>

void lightness(int n, const double *y, double *l)
{
    for (int i = 0; i < n; i++)
        l[i] = 1.16 * cbrt(y[i]) - 0.16;
}
