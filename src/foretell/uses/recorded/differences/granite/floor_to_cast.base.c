#include <math.h>

void cells(int n, const double *x, int *cell)
{
    for (int i = 0; i < n; i++)
        cell[i] = (int)floor(x[i] * 8.0);
}
