#include <math.h>
void peak(int n, const float *restrict in, float *restrict out)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        if (fabsf(in[i]) > most)
            most = fabsf(in[i]);
    *out = most;
}
