#include "standin/closed/transform.hpp"

#include <bit>
#include <numbers>

namespace foretell::closed {

namespace {

Complex root(double part) { return std::polar(1.0, -2 * std::numbers::pi * part); }

}  // namespace

Transform::Transform(std::size_t length, int sign)
    : length_(length),
      size_(std::has_single_bit(length) ? length : std::bit_ceil(2 * length)),
      roots_(size_ / 2),
      inverse_(sign > 0) {
    for (std::size_t k = 0; k < roots_.size(); ++k)
        roots_[k] = root(static_cast<double>(k) / static_cast<double>(size_));
    if (size_ == length_) return;
    chirp_.resize(length_);
    filter_.assign(size_, 0);
    for (std::size_t k = 0; k < length_; ++k) {
        // k^2 is reduced first, so that the angle stays exact
        const std::size_t square = k * k % (2 * length_);
        chirp_[k] = root(static_cast<double>(square) / static_cast<double>(2 * length_));
        filter_[k] = std::conj(chirp_[k]);
        if (k > 0) filter_[size_ - k] = filter_[k];
    }
    of_power(filter_, false);
}

void Transform::of_power(std::vector<Complex>& data, bool inverse) const {
    const std::size_t n = size_;
    for (std::size_t at = 1, mirrored = 0; at < n; ++at) {
        std::size_t bit = n / 2;
        for (; mirrored & bit; bit /= 2) mirrored ^= bit;
        mirrored ^= bit;
        if (at < mirrored) std::swap(data[at], data[mirrored]);
    }
    for (std::size_t half = 1; half < n; half *= 2)
        for (std::size_t block = 0; block < n; block += 2 * half)
            for (std::size_t k = 0; k < half; ++k) {
                const Complex& known = roots_[k * (n / (2 * half))];
                const Complex factor = inverse ? std::conj(known) : known;
                Complex &first = data[block + k], &second = data[block + k + half];
                const Complex turned(factor.real() * second.real() - factor.imag() * second.imag(),
                                     factor.real() * second.imag() + factor.imag() * second.real());
                second = first - turned;
                first += turned;
            }
}

void Transform::operator()(std::vector<Complex>& data) const {
    if (size_ == length_) return of_power(data, inverse_);
    std::vector<Complex> wide(size_, 0);
    for (std::size_t k = 0; k < length_; ++k) wide[k] = (inverse_ ? std::conj(data[k]) : data[k]) * chirp_[k];
    of_power(wide, false);
    for (std::size_t k = 0; k < size_; ++k) wide[k] *= filter_[k];
    of_power(wide, true);
    for (std::size_t k = 0; k < length_; ++k) {
        const Complex value = wide[k] / static_cast<double>(size_) * chirp_[k];
        data[k] = inverse_ ? std::conj(value) : value;
    }
}

}  // namespace foretell::closed
