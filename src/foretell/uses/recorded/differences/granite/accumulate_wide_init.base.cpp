#include <numeric>

extern "C" {
void mean_level(int n, const float *x, float *out)
{
    *out = std::accumulate(x, x + n, 0.0f) / n;
}
}
