#include <complex>

extern "C" {
void correlate(int n, const float *a, const float *b, float *out)
{
    auto x = reinterpret_cast<const std::complex<float> *>(a);
    auto y = reinterpret_cast<const std::complex<float> *>(b);
    std::complex<float> sum(0.0f, 0.0f);
    for (int i = 0; i < n; ++i)
        sum += x[i] * std::conj(y[i]);
    out[0] = sum.real();
    out[1] = sum.imag();
}
}
