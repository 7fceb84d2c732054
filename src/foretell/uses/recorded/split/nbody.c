#include <math.h>
void nbody(long begin, long end, long n, const float *restrict x, const float *restrict y, const float *restrict z,
           const float *restrict m, float *restrict ax, float *restrict ay, float *restrict az) {
#pragma omp parallel for schedule(static)
    for (long i = begin; i < end; i++) {
        float sx = 0, sy = 0, sz = 0;
        for (long j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float d = dx * dx + dy * dy + dz * dz + 1e-3f;
            float r = 1.0f / sqrtf(d);
            float f = m[j] * r * r * r;
            sx += f * dx;
            sy += f * dy;
            sz += f * dz;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}
