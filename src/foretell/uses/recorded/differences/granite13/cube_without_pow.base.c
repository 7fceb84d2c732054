#include <math.h>

void cubes(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = pow(x[i], 3.0);
}
