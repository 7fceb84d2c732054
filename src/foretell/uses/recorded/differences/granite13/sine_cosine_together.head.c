#include <math.h>

void rotate_angles(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double a = x[i];
        x[i] = sin(a);
        y[i] = cos(a);
    }
}
