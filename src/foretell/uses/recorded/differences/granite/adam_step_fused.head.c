#include <math.h>

void adam_update(int n, float *restrict w, const float *restrict g, float *restrict m, float *restrict v)
{
    for (int i = 0; i < n; i++) {
        m[i] = 0.9f * m[i] + 0.1f * g[i];
        v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
        w[i] -= 1e-3f * m[i] / (sqrtf(v[i]) + 1e-8f);
    }
}
