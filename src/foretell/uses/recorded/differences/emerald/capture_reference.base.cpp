#include <algorithm>
extern "C" {
void blend(int n, const float *weights, const float *in, float *out)
{
    const float &a = weights[0], &b = weights[1];
    std::transform(in, in + n, out, [&](float v) { return a * v + b; });
}
}
