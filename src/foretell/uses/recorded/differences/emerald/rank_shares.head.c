#include <stdint.h>
void spread_rank(int n, const uint32_t *restrict from, const float *restrict rank, const float *restrict degree, float *restrict share, float *restrict out)
{
    for (int v = 0; v < 512; v++)
        share[v] = 0.85f * rank[v] / degree[v];
    for (int e = 0; e < n; e++)
        out[e] = share[from[e] & 511];
}
