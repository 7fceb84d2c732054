#include <math.h>
void path_costs(int n, const double *restrict x, double *restrict out)
{
    for (int i = 1; i < n; i++) {
        float d = (float)(x[i] - x[i - 1]);
        out[i] = sqrtf(1.0f + d * d);
    }
}
