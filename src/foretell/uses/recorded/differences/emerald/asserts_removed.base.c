#include <stdlib.h>
void remap(int n, int size, const int *restrict at, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        if (at[i] < 0 || at[i] >= size)
            abort();
        out[i] = in[at[i]];
    }
}
