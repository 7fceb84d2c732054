#include <algorithm>
extern "C" {
void brighten(int n, const float *in, float *work, float *out)
{
    (void)work;
    std::transform(in, in + n, out, [](float v) {
        const float bright = 1.2f * v + 3.0f;
        return bright > 255.0f ? 255.0f : bright;
    });
}
}
