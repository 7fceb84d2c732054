#include <math.h>
void rectify(int n, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = fabsf(in[i] - 1.0f);
}
