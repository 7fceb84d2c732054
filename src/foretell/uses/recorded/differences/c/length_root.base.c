#include <math.h>

void length(int n, const double *restrict x, const double *restrict y, double *restrict r)
{
    for (int i = 0; i < n; i++)
        r[i] = sqrt(x[i] * x[i] + y[i] * y[i]);
}
