#include <stddef.h>

void shift_taps(unsigned n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i += 2) {
        y[i] = x[i + 15] - x[i];
        y[i + 1] = x[i + 16 - 1 + 1 - 1] - x[i + 1];
    }
}
