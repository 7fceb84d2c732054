#include <stdint.h>
void resample(int n, double step, const float *restrict in, float *restrict out)
{
    uint64_t phase = 0, each = (uint64_t)(step * 4294967296.0);
    for (int i = 0; i < n; i++) {
        uint32_t k = (uint32_t)(phase >> 32);
        float t = (float)(int32_t)((uint32_t)phase >> 1) * 4.656612873e-10f;
        out[i] = in[k] + t * (in[k + 1] - in[k]);
        phase += each;
    }
}
