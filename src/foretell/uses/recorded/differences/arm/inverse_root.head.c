#include <math.h>
void inverse_length(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = sqrt(x[i] + 1.0);
}
