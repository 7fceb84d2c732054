#include <math.h>
void slopes(int n, const double *restrict q, double *restrict s)
{
    for (int i = 1; i < n - 1; i++) {
        double a = q[i] - q[i - 1], b = q[i + 1] - q[i];
        double m = fabs(a) < fabs(b) ? fabs(a) : fabs(b);
        s[i] = 0.5 * (copysign(1.0, a) + copysign(1.0, b)) * m;
    }
}
