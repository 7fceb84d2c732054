// Functions of MUFU in double precision, without branches or calls, so that compilers compute lanes side by side. Errors are
// some 2^-51 of the result: rounded to single precision it is the correctly rounded one but for one of 2^26.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#ifndef FORETELL_WIDTH
#define FORETELL_WIDTH base
#endif

namespace foretell::semantics {
inline namespace FORETELL_WIDTH {

template <std::size_t count>
using Terms = std::array<double, count>;  // of powers that ascend

template <std::size_t count>
inline double polynomial(const Terms<count>& terms, double x) {
    double sum = terms[count - 1];
    for (std::size_t k = count - 1; k-- > 0;) sum = sum * x + terms[k];
    return sum;
}

// x^k / k! for all k, or of every second k and with signs in turn.
template <std::size_t count>
constexpr Terms<count> exponential_terms(double x, int first = 0, int step = 1, double sign = 1) {
    Terms<count> result{};
    double term = 1;
    int k = 0;
    for (std::size_t place = 0; place < count; ++place) {
        for (; k < first + step * static_cast<int>(place); ++k) term *= x / (k + 1);
        result[place] = place % 2 ? sign * term : term;
    }
    return result;
}

// Of the inverse hyperbolic tangent, times `factor`.
template <std::size_t count>
constexpr Terms<count> logarithm_terms(double factor) {
    Terms<count> result{};
    for (std::size_t k = 0; k < count; ++k) result[k] = factor / static_cast<double>(2 * k + 1);
    return result;
}

inline constexpr double ln2 = 0.6931471805599453;

// The nearest whole number of |x| < 2^51, ties to even: adding 1.5 * 2^52 leaves no place for a fraction.
inline constexpr double whole_shift = 6755399441055744.0;
inline double nearest_whole(double x) { return (x + whole_shift) - whole_shift; }

// 2^x of a number in single precision.
inline double power_of_two(double x) {
    constexpr double most = 300;  // beyond what single precision holds
    static constexpr Terms<14> terms = exponential_terms<14>(ln2);
    const double above = x < most ? x : most, clipped = above > -most ? above : -most;
    const double shifted = clipped + whole_shift, fraction = clipped - (shifted - whole_shift);
    const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    const double result = polynomial(terms, fraction) * std::bit_cast<double>(exponent);
    return x == x ? result : x;
}

// The logarithm of a number in single precision.
inline double logarithm_of_two(double x) {
    static constexpr Terms<12> terms = logarithm_terms<12>(2 / ln2);
    constexpr std::uint64_t fraction_bits = 0x000fffffffffffffull, one = 0x3ff0000000000000ull;
    constexpr std::uint64_t root_of_two = 0x0006a09e667f3bcdull;  // its fraction
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t upper = (bits & fraction_bits) > root_of_two ? 1 : 0;  // halved: from 0.71 to 1.41
    const std::uint64_t biased = (bits >> 52) + upper;                         // 0x4330...: the bits of 2^52
    const double exponent = std::bit_cast<double>(0x4330000000000000ull | biased) - (0x1p52 + 1023);
    const double part = std::bit_cast<double>((bits & fraction_bits) | (one - (upper << 52)));
    const double t = (part - 1) / (part + 1);
    const double result = t * polynomial(terms, t * t) + exponent;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double of_special = x == 0  ? -infinity
                              : x > 0 ? x
                                      : std::numeric_limits<double>::quiet_NaN();  // 0, infinity, negative, NaN
    return x > 0 && x < infinity ? result : of_special;
}

// Sine and cosine of an eighth of a turn at most, by the angle.
inline double sine_of_eighth(double angle) {
    static constexpr Terms<9> terms = exponential_terms<9>(1, 1, 2, -1);
    return angle * polynomial(terms, angle * angle);
}
inline double cosine_of_eighth(double angle) {
    static constexpr Terms<9> terms = exponential_terms<9>(1, 0, 2, -1);
    return polynomial(terms, angle * angle);
}

// Of so many turns: the nearest whole ones, then quarters, are taken off.
inline double sine_of_turns(double turns, double quarters_ahead = 0) {
    constexpr double turn = 6.283185307179586, largest = 0x1p51;
    const bool is_whole = turns >= largest || turns <= -largest;  // no fraction is left in single precision
    const double rest = is_whole ? turns - turns : turns - nearest_whole(turns);  // infinity gives NaN
    const double quarter = nearest_whole(4 * rest), angle = (rest - quarter / 4) * turn;
    const auto which = static_cast<unsigned>(static_cast<int>(quarter + quarters_ahead + 8)) & 3;
    const double size = which & 1 ? cosine_of_eighth(angle) : sine_of_eighth(angle);
    return which & 2 ? -size : size;
}
inline double cosine_of_turns(double turns) { return sine_of_turns(turns, 1); }

}  // namespace FORETELL_WIDTH
}  // namespace foretell::semantics
