#include <numeric>
extern "C" {
void correlate(int n, const float *a, const float *b, float *out)
{
    *out = static_cast<float>(std::inner_product(a, a + n, b, 0.0));
}
}
