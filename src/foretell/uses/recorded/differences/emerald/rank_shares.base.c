#include <stdint.h>
void spread_rank(int n, const uint32_t *restrict from, const float *restrict rank, const float *restrict degree, float *restrict share, float *restrict out)
{
    (void)share;
    for (int e = 0; e < n; e++)
        out[e] = 0.85f * rank[from[e] & 511] / degree[from[e] & 511];
}
