// Formats of 8 bits: E4M3 (largest 448, no infinity, NaN 0x7f) and E5M2 (largest 57344), as the OCP specification of 8-bit
// floating point 1.0 has them, and cvt.rn.satfinite of PTX converts to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace foretell::semantics {

template <int fraction>
struct Fp8 {
    static constexpr int bias = fraction == 3 ? 7 : 15, lowest = 1 - bias;
    static constexpr std::uint32_t nan = 0x7f, infinity = 0x7c, largest = fraction == 3 ? 0x7e : 0x7b;

    static double widened(std::uint32_t bits) {
        const std::uint32_t size = bits & 0x7f, sign = bits & 0x80;
        if (size > largest) return fraction == 2 && size == infinity ? (sign ? -HUGE_VAL : HUGE_VAL) : std::nan("");
        const int exponent = static_cast<int>(size >> fraction);
        const double part = (size & ((1u << fraction) - 1)) + (exponent != 0 ? double(1 << fraction) : 0.0);
        const double value = std::ldexp(part, std::max(exponent - bias, lowest) - fraction);
        return sign ? -value : value;
    }

    // To the nearest, ties to even; what is too large, infinity included, becomes the largest number.
    static std::uint32_t narrowed(double value) {
        if (value != value) return nan;
        const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
        const double size = std::fabs(value);
        if (size >= widened(largest)) return sign | largest;
        if (size == 0) return sign;
        const int exponent = std::max(std::ilogb(size), lowest);
        const auto whole = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, fraction - exponent)));
        const std::uint32_t bits = (static_cast<std::uint32_t>(exponent + bias - 1) << fraction) + whole;
        return sign | std::min(bits, largest);
    }
};
using E4M3 = Fp8<3>;
using E5M2 = Fp8<2>;

inline double widened_fp8(std::uint32_t bits, bool e5m2) { return e5m2 ? E5M2::widened(bits) : E4M3::widened(bits); }
inline std::uint32_t narrowed_fp8(double value, bool e5m2) {
    return e5m2 ? E5M2::narrowed(value) : E4M3::narrowed(value);
}

}  // namespace foretell::semantics
