#include <algorithm>

extern "C" {
void box_of(int n, const float *p, float *box)
{
    for (int c = 0; c < 3; ++c) {
        float lo = 1e30f, hi = -1e30f;
        for (int i = 0; i < n; ++i) {
            lo = std::min(lo, p[3 * i + c]);
            hi = std::max(hi, p[3 * i + c]);
        }
        box[c] = lo;
        box[3 + c] = hi;
    }
}
}
