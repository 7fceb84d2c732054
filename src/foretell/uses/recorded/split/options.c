#include <math.h>
void options(long begin, long end, const float *restrict price, const float *restrict strike,
             const float *restrict years, float *restrict call, float *restrict put) {
#pragma omp parallel for schedule(static)
    for (long i = begin; i < end; i++) {
        float root = 0.3f * sqrtf(years[i]);
        float d1 = (logf(price[i] / strike[i]) + (0.02f + 0.045f) * years[i]) / root;
        float d2 = d1 - root;
        float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
        float paid = strike[i] * expf(-0.02f * years[i]);
        call[i] = price[i] * n1 - paid * n2;
        put[i] = paid * (1.0f - n2) - price[i] * (1.0f - n1);
    }
}
