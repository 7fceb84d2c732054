// e^x in a form that compilers vectorise.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/simd.hpp"

namespace foretell {

// e^x = 2^n e^r with small r, whose series is truncated after 13 terms.
struct Exponential {
    double half, rest;  // 2^n / 2, and e^r - 1
};

FORETELL_INLINE Exponential exponential(double x) {
    const double near = x > -708.0 ? (x < 709.78 ? x : 709.78) : -708.0;
    const double n = std::floor(near * 1.4426950408889634 + 0.5);
    const double r = (near - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;  // ln 2 in two parts
    double sum = 1.0 / 6227020800.0;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    const std::int64_t bits = (static_cast<std::int64_t>(static_cast<std::int32_t>(n)) + 1022) << 52;
    return {std::bit_cast<double>(bits), sum * r};
}

FORETELL_INLINE double raised(double x) {
    const auto [half, rest] = exponential(x);
    const double found = (half * rest + half) * 2.0;
    return x < -708.0 ? 0.0 : (x > 709.78 ? HUGE_VAL : (x == x ? found : x));
}

FORETELL_INLINE double raised_less_one(double x) {
    const auto [half, rest] = exponential(x);
    const double found = (half * rest + (half - 0.5)) * 2.0;
    return x > 709.78 ? HUGE_VAL : (x == x ? found : x);
}

}  // namespace foretell
