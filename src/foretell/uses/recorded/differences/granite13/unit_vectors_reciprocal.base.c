#include <math.h>

void unit_vectors(int n, float *v)
{
    for (int i = 0; i < n; i++) {
        float x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
        float len = sqrtf(x * x + y * y + z * z);
        v[3 * i] = x / len;
        v[3 * i + 1] = y / len;
        v[3 * i + 2] = z / len;
    }
}
