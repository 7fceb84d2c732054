#include <math.h>

void sphere_hits(int n, const float *b, const float *c, float *t)
{
    for (int i = 0; i < n; i++) {
        float d = b[i] * b[i] - c[i];
        float root = sqrtf(d > 0 ? d : 0);
        t[i] = d < 0 ? -1.0f : -b[i] - root;
    }
}
