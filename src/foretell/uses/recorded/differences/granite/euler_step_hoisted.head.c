#include <math.h>

void euler_step(int n, double *u, const double *f, const double *dt, const double *nu)
{
    const double h = *dt, root = sqrt(*nu), over = 1.0 / *nu;
    for (int i = 0; i < n; i++)
        u[i] += h * (f[i] - root * u[i]) * over;
}
