#include <complex>
extern "C" {
void rotate(int n, const float *a, const float *b, float *out)
{
    for (int i = 0; i < n; i++) {
        const std::complex<float> x(a[2 * i], a[2 * i + 1]), y(b[2 * i], b[2 * i + 1]), z = x * y;
        out[2 * i] = z.real();
        out[2 * i + 1] = z.imag();
    }
}
}
