#include <stddef.h>
void reverse(size_t n, const float *restrict in, float *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = in[n - 1 - i];
}
