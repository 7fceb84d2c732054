extern "C" {
void rotate(int n, const float *a, const float *b, float *out)
{
    for (int i = 0; i < n; i++) {
        const float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        const float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        out[2 * i] = re;
        out[2 * i + 1] = im;
    }
}
}
