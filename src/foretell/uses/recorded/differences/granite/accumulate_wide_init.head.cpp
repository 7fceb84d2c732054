#include <numeric>

extern "C" {
void mean_level(int n, const float *x, float *out)
{
    *out = static_cast<float>(std::accumulate(x, x + n, 0.0) / n);
}
}
