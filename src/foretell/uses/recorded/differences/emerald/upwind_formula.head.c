#include <math.h>
void fluxes(int n, const double *restrict u, const double *restrict q, double *restrict f)
{
    for (int i = 0; i < n; i++) {
        double speed = 0.5 * (u[i] + u[i + 1]) - 0.5;
        f[i] = 0.5 * (speed * (q[i] + q[i + 1]) - fabs(speed) * (q[i + 1] - q[i]));
    }
}
