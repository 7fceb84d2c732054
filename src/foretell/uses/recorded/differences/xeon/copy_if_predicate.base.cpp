#include <algorithm>
extern "C" {
void positive(int n, const float *x, float *y, int *count)
{
    *count = static_cast<int>(std::copy_if(x, x + n, y, [](float v) { return v > 1.0f; }) - y);
}
}
