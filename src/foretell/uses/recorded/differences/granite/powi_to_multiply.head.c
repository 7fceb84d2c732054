#include <math.h>

void lennard(int n, const double *r, double *u)
{
    for (int i = 0; i < n; i++) {
        double v = 1.0 / r[i], q = v * v * v;
        u[i] = 4.0 * (q * q * q * q - q * q);
    }
}
