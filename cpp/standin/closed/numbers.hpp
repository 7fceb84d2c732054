// Numbers of 16 bits that libraries take.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace foretell::closed {

struct Half {
    std::uint16_t bits;
};
struct Brain {
    std::uint16_t bits;
};

inline double wide(double x) { return x; }
inline double wide(std::int8_t x) { return x; }
inline double wide(std::int32_t x) { return x; }
inline float wide(float x) { return x; }
inline float wide(Brain x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }
inline float wide(Half x) {
    const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000u) << 16;
    const std::uint32_t rest = x.bits & 0x7fffu;
    if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    // the exponent is put right by a product, which also holds for subnormal numbers
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest << 13) * 0x1p112f));
}

inline void put(double& to, double x) { to = x; }
inline void put(float& to, double x) { to = static_cast<float>(x); }
inline void put(std::int8_t& to, double x) {
    to = static_cast<std::int8_t>(std::clamp(std::nearbyint(x), -128.0, 127.0));
}
inline void put(std::int32_t& to, double x) { to = static_cast<std::int32_t>(x); }
// Rounded to the nearest, to even between two.
inline void put(Brain& to, double x) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    to.bits = static_cast<std::uint16_t>(is_nan ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
inline void put(Half& to, double wanted) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(wanted));
    const std::uint32_t sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    std::uint32_t half;
    if (rest > 0x7f800000u) half = 0x7e00u;
    else if (rest >= 0x477ff000u) half = 0x7c00u;  // 65520 and above
    else if (rest < 0x38800000u) {                 // subnormal: the sum has its last bit where the half has it
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000u;
    } else {
        half = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13;
    }
    to.bits = static_cast<std::uint16_t>(sign | half);
}

}  // namespace foretell::closed
