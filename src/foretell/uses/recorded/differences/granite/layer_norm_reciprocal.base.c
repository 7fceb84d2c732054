#include <math.h>

void layer_norm_row(int cols, const float *x, float *y)
{
    float mean = 0.f, sq = 0.f;
    for (int c = 0; c < cols; ++c)
        mean += x[c];
    mean /= cols;
    for (int c = 0; c < cols; ++c) {
        float d = x[c] - mean;
        sq += d * d;
    }
    float sd = sqrtf(sq / cols + 1e-5f);
    for (int c = 0; c < cols; ++c)
        y[c] = (x[c] - mean) / sd;
}
