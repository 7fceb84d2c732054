#include <algorithm>

extern "C" {
void median5(int n, const int *x, int *out)
{
    for (int i = 0; i < n; ++i) {
        int a = x[5 * i], b = x[5 * i + 1], c = x[5 * i + 2], d = x[5 * i + 3], e = x[5 * i + 4];
        int lo = std::max(std::min(a, b), std::min(c, d)), hi = std::min(std::max(a, b), std::max(c, d));
        out[i] = std::max(std::min(e, std::max(lo, hi)), std::min(lo, hi));
    }
}
}
