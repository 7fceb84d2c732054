#include <algorithm>
extern "C" {
void extent(int n, const float *x, float *out)
{
    float low = x[0], high = x[0];
    for (int i = 0; i < n; i++)
        low = std::min(low, x[i]);
    for (int i = 0; i < n; i++)
        high = std::max(high, x[i]);
    out[0] = low;
    out[1] = high;
}
}
