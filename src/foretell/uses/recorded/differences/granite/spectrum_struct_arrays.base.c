void apply_filter(int n, float *restrict spec, const float *restrict h)
{
    for (int k = 0; k < n; k++) {
        float re = spec[2 * k], im = spec[2 * k + 1];
        spec[2 * k] = re * h[2 * k] - im * h[2 * k + 1];
        spec[2 * k + 1] = re * h[2 * k + 1] + im * h[2 * k];
    }
}
