#include <math.h>

void lightness(int n, const double *y, double *l)
{
    for (int i = 0; i < n; i++)
        l[i] = 1.16 * pow(y[i], 1.0 / 3.0) - 0.16;
}
