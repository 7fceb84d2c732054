#include <math.h>

void euler_step(int n, double *u, const double *f, const double *dt, const double *nu)
{
    for (int i = 0; i < n; i++)
        u[i] += *dt * (f[i] - sqrt(*nu) * u[i]) / *nu;
}
