#include <math.h>
void squares(int n, double e, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = pow(x[i], e);
}
