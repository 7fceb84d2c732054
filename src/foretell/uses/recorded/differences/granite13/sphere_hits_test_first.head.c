#include <math.h>

void sphere_hits(int n, const float *b, const float *c, float *t)
{
    for (int i = 0; i < n; i++) {
        float d = b[i] * b[i] - c[i];
        if (d < 0) {
            t[i] = -1.0f;
            continue;
        }
        t[i] = -b[i] - sqrtf(d);
    }
}
