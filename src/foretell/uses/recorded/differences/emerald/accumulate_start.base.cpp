#include <numeric>
extern "C" {
void mean_level(int n, const float *in, float *out)
{
    *out = static_cast<float>(std::accumulate(in, in + n, 0.0)) / static_cast<float>(n);
}
}
