// What floating-point instructions compute, in one lane (see integer_semantics.hpp).
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "gpu/functional/arithmetic/transcendental.hpp"

// Compiled for several vector widths: each has its own copy.
#ifndef FORETELL_WIDTH
#define FORETELL_WIDTH base
#endif

namespace foretell::semantics {
inline namespace FORETELL_WIDTH {

inline float to_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t to_bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline double to_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }
inline std::uint64_t to_bits64(double value) { return std::bit_cast<std::uint64_t>(value); }

// The hardware's one NaN of single precision (PTX ISA, "Single-precision: canonical NaN is 0x7fffffff").
inline constexpr std::uint32_t the_nan = 0x7fffffffu;

inline std::uint32_t canonical(float value) { return value != value ? the_nan : to_bits(value); }

// Numbers too small to be normal become a zero of their sign.
inline float flushed(float value) {
    const std::uint32_t bits = to_bits(value);
    return (bits & 0x7f800000u) == 0 ? to_float(bits & 0x80000000u) : value;
}

// FADD.SAT: to [0, 1], NaN to +0.
inline float saturated(float value) { return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f; }

// Rounding modes of arithmetic and conversions, as decoded.
enum Rounding : int {
    nearest = 0,
    to_zero_integral = 1,
    floor_integral = 2,
    ceil_integral = 3,
    up = 4,
    down = 5,
    to_zero = 6
};

// `operation` in another rounding mode of the processor. The operands are volatile in it: nothing is computed before.
template <class F>
auto in_mode(int mode, F&& operation) {
    const int before = std::fegetround();
    std::fesetround(mode == up        ? FE_UPWARD
                    : mode == down    ? FE_DOWNWARD
                    : mode == to_zero ? FE_TOWARDZERO
                                      : FE_TONEAREST);
    volatile auto result = operation();
    std::fesetround(before);
    return static_cast<std::remove_volatile_t<decltype(result)>>(result);
}

template <class T>
T added(T a, T b, int mode) {
    if (mode == nearest) return a + b;
    volatile T x = a, y = b;
    return in_mode(mode, [&] { return static_cast<T>(x + y); });
}
template <class T>
T multiplied(T a, T b, int mode) {
    if (mode == nearest) return a * b;
    volatile T x = a, y = b;
    return in_mode(mode, [&] { return static_cast<T>(x * y); });
}
template <class T>
T fused(T a, T b, T c, int mode) {
    if (mode == nearest) return std::fma(a, b, c);
    volatile T x = a, y = b, z = c;
    return in_mode(mode, [&] { return static_cast<T>(std::fma(T{x}, T{y}, T{z})); });
}

// The number next to one in single precision, in the direction of a mode, where it is not exact: sums of two numbers of
// single precision, and of one and a product of two, are one of double precision and what its rounding left.
inline float directed(double sum, double error, int mode) {
    const float near = static_cast<float>(sum);
    const double found = near;
    const bool above = found > sum || (found == sum && error < 0), below = found < sum || (found == sum && error > 0);
    const bool goes_down = above && (mode == down || (mode == to_zero && sum > 0));
    const bool goes_up = below && (mode == up || (mode == to_zero && sum < 0));
    const std::uint32_t bits = to_bits(near), sign = bits & 0x80000000u;
    const std::uint32_t larger = bits + 1, smaller = bits - 1;  // in size
    const std::uint32_t beyond_zero = goes_down ? 0x80000001u : 1u;
    const std::uint32_t next = (bits & 0x7fffffffu) == 0 ? beyond_zero : goes_down == (sign != 0) ? larger : smaller;
    return to_float(goes_down || goes_up ? next : bits);
}
inline float directed_sum(double a, double b, int mode) {
    const double sum = a + b, of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);
    const float result = directed(sum, error, mode);
    const bool is_negative_zero = mode == down && sum == 0 && (std::signbit(a) || std::signbit(b));
    return is_negative_zero ? -0.0f : result;
}
inline float added(float a, float b, int mode) { return mode == nearest ? a + b : directed_sum(a, b, mode); }
inline float multiplied(float a, float b, int mode) {
    return mode == nearest ? a * b : directed(static_cast<double>(a) * b, 0, mode);
}
inline float fused(float a, float b, float c, int mode) {
    return mode == nearest ? std::fma(a, b, c) : directed_sum(static_cast<double>(a) * b, c, mode);
}

// Nearest number of the type, or the next one in the direction of the rounding mode.
template <class T>
T rounded(long double exact, int mode) {
    const T near = static_cast<T>(exact), infinity = std::numeric_limits<T>::infinity();
    if (mode == up && near < exact) return std::nextafter(near, infinity);
    if (mode == down && near > exact) return std::nextafter(near, -infinity);
    if (mode == to_zero && std::fabs(static_cast<long double>(near)) > std::fabs(exact))
        return std::nextafter(near, T{0});
    return near;
}

inline double integral(double value, int mode) {
    return mode == to_zero_integral ? std::trunc(value)
           : mode == floor_integral ? std::floor(value)
           : mode == ceil_integral  ? std::ceil(value)
                                    : std::nearbyint(value);
}

// Numbers beyond the range of the integer type are its nearest one; NaN is zero where the instruction says so (NTZ), else
// the word with only the highest bit.
template <class T>
T to_integer(double value, int mode, bool nan_to_zero = false) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(value)) return nan_to_zero ? T{0} : static_cast<T>(std::uint64_t{1} << (8 * sizeof(T) - 1));
    const double whole = integral(value, mode);
    if (whole <= static_cast<double>(Limits::min())) return Limits::min();
    return whole >= static_cast<double>(Limits::max()) ? Limits::max() : static_cast<T>(whole);
}

// To 8 and 16 bits.
inline std::uint32_t narrow_integer(double value, int mode, int bytes, bool is_unsigned) {
    const double low = is_unsigned ? 0 : -std::ldexp(1.0, 8 * bytes - 1);
    const double high = std::ldexp(1.0, 8 * bytes - (is_unsigned ? 0 : 1)) - 1;
    const double whole = integral(value, mode);
    return whole != whole
               ? 0
               : static_cast<std::uint32_t>(static_cast<std::int32_t>(std::fmin(std::fmax(whole, low), high)));
}

// FMNMX: a number wins over NaN, and -0 is below +0.
inline std::uint32_t smaller_or_larger_real(std::uint32_t a, std::uint32_t b, bool smaller) {
    const float x = to_float(a), y = to_float(b);
    const std::uint32_t of_zeros = smaller ? a | b : a & b, of_numbers = (x < y) == smaller ? a : b;
    const std::uint32_t of_b = y != y ? the_nan : b, without_nan = x == y ? of_zeros : of_numbers;
    return x != x ? of_b : y != y ? a : without_nan;
}

// Functions of MUFU, by their mode.
enum Special : int {
    reciprocal,
    root_reciprocal,
    exponential,
    logarithm,
    sine,
    cosine,
    root,
    hyperbolic,
    upper_reciprocal,
    upper_root_reciprocal
};

// The upper half of a double: of its reciprocal, or of that of its root, as a first approximation.
inline float upper_half(int mode, float upper) {
    const double x = to_double(static_cast<std::uint64_t>(to_bits(upper)) << 32);
    const double out = mode == upper_reciprocal ? 1 / x : 1 / std::sqrt(x);
    return to_float(static_cast<std::uint32_t>(to_bits64(out) >> 32));
}

// MUFU. The library's code refines RCP and RSQ to correctly rounded results. The unit flushes small numbers, and sine and
// cosine take their argument in turns (the compiler multiplies by 1/(2π) before).
template <int mode>
float special(float given) {
    if constexpr (mode == upper_reciprocal || mode == upper_root_reciprocal) return upper_half(mode, given);
    const float x = flushed(given);
    const double wide = x;
    if constexpr (mode == reciprocal) return flushed(static_cast<float>(1.0 / wide));
    if constexpr (mode == root_reciprocal) return static_cast<float>(1.0 / std::sqrt(wide));
    if constexpr (mode == exponential) return flushed(static_cast<float>(power_of_two(wide)));
    if constexpr (mode == logarithm) return static_cast<float>(logarithm_of_two(wide));
    if constexpr (mode == sine) return static_cast<float>(sine_of_turns(wide));
    if constexpr (mode == cosine) return static_cast<float>(cosine_of_turns(wide));
    if constexpr (mode == root) return static_cast<float>(std::sqrt(wide));
    return static_cast<float>(std::tanh(wide));
}

// Calls `f` with the mode as a constant.
template <class F>
decltype(auto) with_special(int mode, F f) {
    switch (mode) {
        case reciprocal: return f(std::integral_constant<int, reciprocal>{});
        case root_reciprocal: return f(std::integral_constant<int, root_reciprocal>{});
        case exponential: return f(std::integral_constant<int, exponential>{});
        case logarithm: return f(std::integral_constant<int, logarithm>{});
        case sine: return f(std::integral_constant<int, sine>{});
        case cosine: return f(std::integral_constant<int, cosine>{});
        case root: return f(std::integral_constant<int, root>{});
        case upper_reciprocal: return f(std::integral_constant<int, upper_reciprocal>{});
        case upper_root_reciprocal: return f(std::integral_constant<int, upper_root_reciprocal>{});
        default: return f(std::integral_constant<int, hyperbolic>{});
    }
}

inline float special_function(int mode, float given) {
    return with_special(mode, [given](auto constant) { return special<constant.value>(given); });
}

// Whether a division takes the slow path: the reciprocal, the quotient or its remainder would not be a normal number. A
// zero dividend takes it as well (validation/h200/gpu-wider, w_fourier).
inline bool needs_slow_division(std::uint32_t above, std::uint32_t below) {
    const int a = above >> 23 & 0xff, b = below >> 23 & 0xff;  // biased exponents, 127 for numbers from one to two
    constexpr int digits = 24, special = 255;
    return a <= digits || a == special || b == 0 || b >= special - 2 || a - b <= 1 - 127 || a - b >= 127;
}

// ------------------------------------------------------------------------------------------- half precision

// A format of 16 bits by the bits of its fraction: FP16 has 10, BF16 7.
template <int fraction>
struct Narrow {
    static constexpr int lowest = fraction == 10 ? -14 : -126, bias = 1 - lowest;
    static constexpr std::uint32_t infinity = ((1u << (15 - fraction)) - 1) << fraction;

    static double widened(std::uint32_t bits) {
        const int exponent = static_cast<int>((bits & 0x7fffu) >> fraction);
        const double part = bits & ((1u << fraction) - 1), sign = bits & 0x8000u ? -1 : 1;
        if ((bits & infinity) == infinity) return part != 0 ? std::nan("") : sign * HUGE_VAL;
        const bool normal = exponent != 0;
        return sign * std::ldexp(part + (normal ? double(1 << fraction) : 0.0),
                                 (normal ? exponent - bias : lowest) - fraction);
    }

    // To the nearest, ties to even; `to_zero` cuts.
    static std::uint32_t narrowed(double value, bool cut = false) {
        const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0;
        if (value != value) return 0x7fffu;
        if (std::isinf(value)) return sign | infinity;
        if (value == 0) return sign;
        const double size = std::fabs(value);
        const int exponent = std::max(std::ilogb(size), lowest);
        const double units = std::ldexp(size, fraction - exponent);
        const auto whole = static_cast<std::uint32_t>(cut ? std::trunc(units) : std::nearbyint(units));
        const std::uint32_t bits =
            (static_cast<std::uint32_t>(exponent + bias - 1) << fraction) + whole;  // a carry goes up
        return sign | (bits >= infinity ? (cut ? infinity - 1 : infinity) : bits);
    }
};
using Half = Narrow<10>;
using Brain = Narrow<7>;

inline double widened(std::uint32_t bits, bool brain) { return brain ? Brain::widened(bits) : Half::widened(bits); }
inline std::uint32_t narrowed(double value, bool brain) {
    return brain ? Brain::narrowed(value) : Half::narrowed(value);
}

// a b + c of narrow numbers, rounded once: the sum in double precision is rounded to odd, which a second rounding to fewer
// digits does not see (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
inline double fused_odd(double a, double b, double c) {
    const double product = a * b, sum = product + c;
    if (!std::isfinite(sum)) return sum;
    const double back = sum - product, error = (product - (sum - back)) + (c - back);
    if (error == 0 || (to_bits64(sum) & 1)) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

}  // namespace FORETELL_WIDTH
}  // namespace foretell::semantics
