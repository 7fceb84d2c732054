#include <math.h>

void rotate_angles(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = cos(x[i]);
    for (int i = 0; i < n; i++)
        x[i] = sin(x[i]);
}
