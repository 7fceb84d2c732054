#include "gpu/complete/memory/reductions.hpp"

#include <algorithm>
#include <cstring>

#include "gpu/functional/arithmetic/float_semantics.hpp"

namespace foretell::complete {
namespace {

using semantics::Atomic;

template <class T, class F>
void update_all(std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes, F next) {
    for (std::uint64_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
        T old, operand;
        std::memcpy(&old, to + at, sizeof old);
        std::memcpy(&operand, from + at, sizeof operand);
        const T now = next(old, operand);
        std::memcpy(to + at, &now, sizeof now);
    }
}

// 16-bit numbers are added without flushing denormals; a NaN is not chosen by min and max.
std::uint16_t next_half(Atomic how, std::uint32_t old, std::uint32_t operand, bool brain) {
    const double a = semantics::widened(old, brain), b = semantics::widened(operand, brain);
    if (how == Atomic::add) return static_cast<std::uint16_t>(semantics::narrowed(a + b, brain));
    if (a != a || b != b) return static_cast<std::uint16_t>(a != a ? operand : old);
    const bool takes = how == Atomic::min ? b < a : b > a;
    return static_cast<std::uint16_t>(takes ? operand : old);
}

template <class T>
void update_integers(Atomic how, bool is_signed, std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes) {
    update_all<T>(to, from, bytes, [&](T old, T operand) { return semantics::updated(how, old, operand, is_signed); });
}

}  // namespace

std::uint32_t bytes_of(Element type) {
    switch (type) {
        case Element::u8: return 1;
        case Element::u16:
        case Element::f16:
        case Element::bf16: return 2;
        case Element::u64:
        case Element::s64:
        case Element::f64: return 8;
        default: return 4;
    }
}

bool is_real(Element type) { return type >= Element::f16; }

void reduce_elements(Element type, Atomic how, std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes) {
    switch (type) {
        case Element::f16:
        case Element::bf16:
            update_all<std::uint16_t>(to, from, bytes, [&](std::uint16_t old, std::uint16_t operand) {
                return next_half(how, old, operand, type == Element::bf16);
            });
            return;
        case Element::f64:
            update_all<double>(to, from, bytes, [](double old, double operand) { return old + operand; });
            return;
        case Element::f32:
        case Element::f32_ftz:
            update_all<float>(to, from, bytes, [&](float old, float operand) {
                return type == Element::f32_ftz
                           ? semantics::flushed(semantics::flushed(old) + semantics::flushed(operand))
                           : old + operand;
            });
            return;
        case Element::u64:
        case Element::s64: return update_integers<std::uint64_t>(how, type == Element::s64, to, from, bytes);
        default: return update_integers<std::uint32_t>(how, type == Element::s32, to, from, bytes);
    }
}

}  // namespace foretell::complete
