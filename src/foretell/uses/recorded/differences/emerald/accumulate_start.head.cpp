#include <numeric>
extern "C" {
void mean_level(int n, const float *in, float *out)
{
    *out = std::accumulate(in, in + n, 0.0f) / static_cast<float>(n);
}
}
