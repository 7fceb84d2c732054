extern "C" {
void correlate(int n, const float *a, const float *b, float *out)
{
    float re = 0.0f, im = 0.0f;
    for (int i = 0; i < n; ++i) {
        const float ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
        re += ar * br + ai * bi;
        im += ai * br - ar * bi;
    }
    out[0] = re;
    out[1] = im;
}
}
