#include <algorithm>
extern "C" {
void clamp_all(int n, const int *in, int *out)
{
    std::transform(in, in + n, out, [](int v) { return std::min(std::max(v, 0), 4095); });
}
}
