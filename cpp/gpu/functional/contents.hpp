// Contents of arrays: the value of an element is computed from its index when it is read.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "gpu/functional/functional.hpp"

namespace foretell::functional {

inline std::uint64_t mixed(std::uint64_t x) {  // fixed hash: the same contents in every run
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Quotient and remainder: elements of most arrays, and many ranges, are powers of two, and a division takes as long as the
// hash.
inline std::uint64_t quotient(std::uint64_t a, std::uint64_t b) {
    return std::has_single_bit(b) ? a >> std::countr_zero(b) : a / b;
}
inline std::uint64_t remainder(std::uint64_t a, std::uint64_t b) {
    return std::has_single_bit(b) ? a & (b - 1) : a % b;
}

// A permutation of 0 … count-1, evaluated at one index: a Feistel network over the next power of four, cycle-walked
// until the result is in range.
inline std::uint64_t permuted(std::uint64_t index, std::uint64_t count) {
    unsigned half = 1;
    while (half < 31 && (1ull << 2 * half) < count) ++half;
    const std::uint64_t mask = (1ull << half) - 1;
    do {
        std::uint64_t left = index >> half, right = index & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (mixed(right * 8 + round) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

// Ascending offsets: random around a constant mean distance, but for the start of the first of so many lists and the end of
// the last, so that together they have `mean` elements each.
inline std::uint64_t list_start(std::uint64_t list, std::uint64_t lists, std::uint64_t mean) {
    return list * mean + (list == 0 || list >= lists ? 0 : mixed(list) % mean);
}

// Evenly distributed over [0, 1).
inline double fraction(std::uint64_t index) { return static_cast<double>(mixed(index) >> 11) * 0x1p-53; }

// Standard normal distribution (Box and Muller).
inline double gaussian(std::uint64_t index) {
    const double radius = std::sqrt(-2 * std::log(1 - fraction(2 * index)));
    return radius * std::cos(2 * std::numbers::pi * fraction(2 * index + 1));
}

// Bits of the nearest half-precision number. Numbers of one binade are multiples of 2^step; the bits count them.
inline std::uint16_t half_bits(double x) {
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    x = std::fabs(x);
    if (!(x < 65520.0)) return static_cast<std::uint16_t>(sign | (std::isnan(x) ? 0x7e00 : 0x7c00));
    int exponent = 0;
    std::frexp(x, &exponent);
    const int step = std::max(exponent - 11, -24);
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(x, -step)));
    return static_cast<std::uint16_t>(sign | ((step + 24) * 1024 + units));
}

// Bits of a number of an element type.
inline std::uint64_t bits_of(Array::Type type, double x) {
    switch (type) {
        case Array::Type::f16: return half_bits(x);
        case Array::Type::bf16: {  // the upper half of a single-precision number, rounded to even
            const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(x));
            return (word + 0x7fff + (word >> 16 & 1)) >> 16;
        }
        case Array::Type::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(x));
        case Array::Type::f64: return std::bit_cast<std::uint64_t>(x);
        case Array::Type::integer: break;
    }
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(x)));
}

// Integer contents; a floating-point array has the same numbers.
inline std::uint64_t whole_value(const Array& array, std::uint64_t index) {
    const auto mean = static_cast<std::uint64_t>(array.low);
    switch (array.contents) {
        case Array::Contents::iota: return index;
        case Array::Contents::permutation: return permuted(index, array.bytes / array.element);
        case Array::Contents::random: {
            const std::uint64_t span = static_cast<std::uint64_t>(array.high) - static_cast<std::uint64_t>(array.low);
            return static_cast<std::uint64_t>(array.low) + (span == 0 ? mixed(index) : remainder(mixed(index), span));
        }
        case Array::Contents::offsets: return list_start(index, array.bytes / array.element - 1, mean);
        case Array::Contents::extents: {  // pairs: start and length of each list
            const std::uint64_t lists = array.bytes / array.element / 2, start = list_start(index / 2, lists, mean);
            return index % 2 == 0 ? start : list_start(index / 2 + 1, lists, mean) - start;
        }
        default: return static_cast<std::uint64_t>(array.low);  // constant
    }
}

// Bits of the element at an index.
inline std::uint64_t element_value(const Array& array, std::uint64_t index) {
    if (array.contents == Array::Contents::normal)
        return bits_of(array.type, array.mean + array.scale * gaussian(index));
    if (array.type == Array::Type::integer) return whole_value(array, index);
    if (array.contents == Array::Contents::random)
        return bits_of(array.type, array.mean + array.scale * fraction(index));
    if (array.contents == Array::Contents::constant) return bits_of(array.type, array.mean);
    return bits_of(array.type, static_cast<double>(whole_value(array, index)));
}

}  // namespace foretell::functional
