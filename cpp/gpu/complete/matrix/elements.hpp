// Elements of matrix products. Private to complete execution.
#pragma once

#include "gpu/functional/arithmetic/float_semantics.hpp"
#include "gpu/functional/arithmetic/fp8_semantics.hpp"

namespace foretell::complete {

enum Type : std::uint8_t {
    half_type,
    brain_type,
    tensor_type,
    int8_type,
    uint8_type,
    double_type,
    e4m3_type,
    e5m2_type
};

inline int bits_of(int type) { return type == tensor_type ? 32 : type == half_type || type == brain_type ? 16 : 8; }

// Of numbers that are not zero; denormal ones have it, too.
inline int lowest_exponent(int type) {
    return type == half_type || type == e5m2_type ? -14 : type == e4m3_type ? -6 : -126;
}

// Element `k` of a word; exact in double precision.
inline double element(std::uint32_t word, int type, int k) {
    switch (type) {
        case half_type: return semantics::Half::widened(word >> 16 * k & 0xffff);
        case brain_type: return semantics::Brain::widened(word >> 16 * k & 0xffff);
        case tensor_type: return semantics::to_float(word & 0xffffe000u);  // the lowest 13 bits are not read
        case int8_type: return static_cast<std::int8_t>(word >> 8 * k);
        case e4m3_type: return semantics::E4M3::widened(word >> 8 * k & 255);
        case e5m2_type: return semantics::E5M2::widened(word >> 8 * k & 255);
        default: return word >> 8 * k & 255;
    }
}

}  // namespace foretell::complete
