#include <math.h>
void log_scale(int n, double base, const double *x, double *y)
{
    double inverse = 1 / log(base);
    for (int i = 0; i < n; i++)
        y[i] = x[i] * inverse;
}
