#include <algorithm>

extern "C" {
void box_of(int n, const float *p, float *box)
{
    float lo[3] = {1e30f, 1e30f, 1e30f}, hi[3] = {-1e30f, -1e30f, -1e30f};
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
            lo[c] = std::min(lo[c], p[3 * i + c]);
            hi[c] = std::max(hi[c], p[3 * i + c]);
        }
    for (int c = 0; c < 3; ++c) {
        box[c] = lo[c];
        box[3 + c] = hi[c];
    }
}
}
