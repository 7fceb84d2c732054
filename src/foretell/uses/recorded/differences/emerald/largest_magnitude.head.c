#include <math.h>
void max_norm(int n, const double *restrict x, double *restrict out)
{
    double m = 0;
    for (int i = 0; i < n; i++)
        m = fmax(m, fabs(x[i] - 0.5));
    *out = m;
}
