#include <algorithm>

extern "C" {
void clear_depth(int n, float *z)
{
    std::fill(z, z + n, 1.0f);
}
}
