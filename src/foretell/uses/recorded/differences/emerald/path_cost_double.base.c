#include <math.h>
void path_costs(int n, const double *restrict x, double *restrict out)
{
    for (int i = 1; i < n; i++)
        out[i] = sqrt(1.0 + (x[i] - x[i - 1]) * (x[i] - x[i - 1]));
}
