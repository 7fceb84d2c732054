#include <math.h>
void peak(int n, const float *restrict in, float *restrict out)
{
    float a = 0, b = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        a = fabsf(in[i]) > a ? fabsf(in[i]) : a;
        b = fabsf(in[i + 1]) > b ? fabsf(in[i + 1]) : b;
    }
    *out = a > b ? a : b;
}
