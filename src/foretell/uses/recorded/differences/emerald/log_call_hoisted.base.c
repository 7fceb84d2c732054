#include <math.h>
void log_scale(int n, double base, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / log(base);
}
