// Fourier transforms of any length, in double precision, without a factor.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace foretell::closed {

using Complex = std::complex<double>;

// Of one length and direction (-1: forward). Lengths that are no power of two go over a convolution (Bluestein).
class Transform {
public:
    Transform(std::size_t length, int sign);
    void operator()(std::vector<Complex>& data) const;

private:
    void of_power(std::vector<Complex>& data, bool inverse) const;

    std::size_t length_, size_;
    std::vector<Complex> roots_;           // e^(-2 pi i k / size)
    std::vector<Complex> chirp_, filter_;  // of a length that is no power of two
    bool inverse_;
};

}  // namespace foretell::closed
