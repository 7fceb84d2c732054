// What integer instructions compute, in one lane: the one table of meanings. The sampled mode applies it to values with
// known bits, complete execution to all lanes at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

// Compiled for several vector widths: each has its own copy.
#ifndef FORETELL_WIDTH
#define FORETELL_WIDTH base
#endif

namespace foretell::semantics {
inline namespace FORETELL_WIDTH {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

inline u64 pair_of(u32 high, u32 low) { return u64{high} << 32 | low; }

// Boolean function of three inputs by its table, as a sum of products modulo two: coefficient k of the result is the
// exclusive or of the table's rows below k.
struct Logic {
    u32 k[8];
    explicit Logic(u32 table) {
        for (int term = 0; term < 8; ++term) {
            u32 bit = 0;
            for (int row = 0; row < 8; ++row)
                if ((row & ~term) == 0) bit ^= table >> row & 1;
            k[term] = bit ? ~0u : 0u;
        }
    }
    // Row 4a + 2b + c of the table.
    u32 operator()(u32 a, u32 b, u32 c) const {
        const u32 low = k[0] ^ (k[1] & c) ^ (b & (k[2] ^ (k[3] & c)));
        const u32 high = k[4] ^ (k[5] & c) ^ (b & (k[6] ^ (k[7] & c)));
        return low ^ (a & high);
    }
};

// LEA: the first operand, sign-extended or with an upper half, shifted; `high` takes the upper word.
inline u32 shifted_part(u32 upper, u32 lower, unsigned shift, bool high) {
    const u64 shifted = pair_of(upper, lower) << shift;
    return static_cast<u32>(high ? shifted >> 32 : shifted);
}

struct FunnelShift {
    bool left, wrap, is_unsigned, is_64, high;
    u32 operator()(u32 low, u32 by, u32 upper) const {
        const u32 widest = is_64 ? 63 : 32;
        const u64 from = pair_of(upper, low);
        const u32 shift = wrap ? by & (is_64 ? 63 : 31) : std::min(by, widest);
        const u64 moved = left          ? from << shift
                          : is_unsigned ? from >> shift
                                        : static_cast<u64>(static_cast<i64>(from) >> shift);
        return static_cast<u32>(high ? moved >> 32 : moved);
    }
};

// Modes of PRMT beside the index mode: what a selector of two bits means.
enum class Permute : std::uint8_t { index, forward4, backward4, replicate8, edge_left, edge_right, replicate16 };

inline u32 permute_choice(Permute how, u32 selector, u32 k) {
    const u32 s = selector & 3;
    switch (how) {
        case Permute::forward4: return s + k;
        case Permute::backward4: return (s - k) & 7;
        case Permute::replicate8: return s;
        case Permute::edge_left: return std::max(k, s);
        case Permute::edge_right: return std::min(k, s);
        case Permute::replicate16: return (s & 1) * 2 + (k & 1);
        case Permute::index: break;
    }
    return selector >> (4 * k) & 15;
}

inline u32 permuted(Permute how, u32 a, u32 selector, u32 b) {
    const u64 bytes = pair_of(b, a);
    u32 result = 0;
    for (u32 k = 0; k < 4; ++k) {
        const u32 choice = permute_choice(how, selector, k);
        u32 byte = static_cast<u32>(bytes >> (8 * (choice & 7))) & 255;
        if (how == Permute::index && (choice & 8)) byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * k);
    }
    return result;
}

inline u32 absolute(u32 v) { return v >> 31 ? 0u - v : v; }

// FLO: the place of the highest bit that differs from the sign, counted from the right, or with `shift` from the left.
inline u32 leading_one(u32 v, bool is_unsigned, bool shift) {
    const u32 from = !is_unsigned && v >> 31 ? ~v : v, top = static_cast<u32>(std::countl_zero(from));
    return from == 0 ? ~0u : shift ? top : 31 - top;
}

inline u32 reversed(u32 v) {
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}

inline u32 bit_mask(u32 first, u32 count) {
    const u32 width = std::min(count, 32u);
    return first >= 32 ? 0 : static_cast<u32>(((u64{1} << width) - 1) << first);
}

inline u32 sign_extended(u32 v, u32 count, bool is_unsigned) {
    const u32 width = std::min(count, 32u), mask = static_cast<u32>((u64{1} << width) - 1), part = v & mask;
    return is_unsigned || width == 0 || !(part >> (width - 1) & 1) ? part : part | ~mask;
}

inline u32 shift_left(u32 v, u32 by) { return by > 31 ? 0 : v << by; }
inline u32 shift_right(u32 v, u32 by, bool is_unsigned) {
    if (!is_unsigned) return static_cast<u32>(static_cast<i32>(v) >> std::min(by, 31u));
    return by > 31 ? 0 : v >> by;
}

inline u64 product(u32 a, u32 b, bool is_unsigned) {
    return is_unsigned ? u64{a} * b : static_cast<u64>(i64{static_cast<i32>(a)} * static_cast<i32>(b));
}

inline bool is_less(u32 a, u32 b, bool is_unsigned) {
    return is_unsigned ? a < b : static_cast<i32>(a) < static_cast<i32>(b);
}
inline u32 smaller_or_larger(u32 a, u32 b, bool is_unsigned, bool smaller) {
    return is_less(a, b, is_unsigned) == smaller ? a : b;
}

// Parts of `width` bits, each the smaller or larger one.
inline u32 extreme_parts(u32 a, u32 b, u32 width, bool is_unsigned, bool smaller) {
    u32 result = 0;
    for (u32 at = 0; at < 32; at += width) {
        const u32 x = sign_extended(a >> at, width, is_unsigned), y = sign_extended(b >> at, width, is_unsigned);
        result |= (smaller_or_larger(x, y, is_unsigned, smaller) & ((1u << width) - 1)) << at;
    }
    return result;
}

// Extremes of whole words, or of their parts; `relu` makes negative results zero (VIMNMX3, VIADDMNMX).
struct Extreme {
    u32 width;
    bool is_unsigned, relu;

    u32 of(u32 a, u32 b, bool smaller) const {
        return width == 32 ? smaller_or_larger(a, b, is_unsigned, smaller)
                           : extreme_parts(a, b, width, is_unsigned, smaller);
    }
    u32 positive(u32 value) const { return relu ? of(value, 0, false) : value; }
};

// Sums of parts of `width` bits, without carries between them.
inline u32 added_parts(u32 a, u32 b, u32 width, bool negated) {
    u32 result = 0;
    for (u32 at = 0; at < 32; at += width)
        result |= ((negated ? (a >> at) - (b >> at) : (a >> at) + (b >> at)) & ((1u << width) - 1)) << at;
    return result;
}

inline u32 difference(u32 a, u32 b, bool is_unsigned) { return is_less(a, b, is_unsigned) ? b - a : a - b; }

// VABSDIFF4: sum of the differences of four bytes, or (without a third operand to add to) each of them.
inline u32 byte_differences(u32 a, u32 b, bool is_unsigned) {
    u32 result = 0;
    for (int at = 0; at < 32; at += 8)
        result |=
            (difference(sign_extended(a >> at, 8, is_unsigned), sign_extended(b >> at, 8, is_unsigned), is_unsigned) &
             255u)
            << at;
    return result;
}

// IDP: products of bytes of the second operand with bytes (4A) or halves (2A) of the first.
struct DotProduct {
    bool halves, upper, a_unsigned, b_unsigned;
    u32 operator()(u32 a, u32 b, u32 c) const {
        const int parts = halves ? 2 : 4;
        for (int k = 0; k < parts; ++k) {
            const u32 x =
                halves ? sign_extended(a >> 16 * k, 16, a_unsigned) : sign_extended(a >> 8 * k, 8, a_unsigned);
            const u32 y = sign_extended(b >> 8 * (k + (halves && upper ? 2 : 0)), 8, b_unsigned);
            c += x * y;
        }
        return c;
    }
};

// SHFL: the lane that a lane reads, and whether it is inside the segment.
struct LaneSource {
    int lane;
    bool valid;
};
inline LaneSource shuffle_source(int mode, int lane, u32 by, u32 limits) {
    const int clamp = limits & 31, segment = limits >> 8 & 31, b = by & 31,
              last = (lane & segment) | (clamp & ~segment);
    const int by_mode[] = {(lane & segment) | (b & ~segment), lane - b, lane + b, lane ^ b};
    const int source = by_mode[mode];
    const bool valid = mode == 1 ? source >= last : source <= last;
    return {!valid || source < 0 || source >= 32 ? lane : source, valid};
}

enum class Atomic : std::uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor, exchange, compare };

// The value that an atomic leaves, from the old one.
template <class T>
T updated(Atomic how, T old, T operand, bool is_signed) {
    using Signed = std::make_signed_t<T>;
    const bool less = is_signed ? static_cast<Signed>(operand) < static_cast<Signed>(old) : operand < old;
    switch (how) {
        case Atomic::add: return old + operand;
        case Atomic::min: return less ? operand : old;
        case Atomic::max: return less ? old : operand;
        case Atomic::inc: return old >= operand ? 0 : old + 1;
        case Atomic::dec: return old == 0 || old > operand ? operand : old - 1;
        case Atomic::bit_and: return old & operand;
        case Atomic::bit_or: return old | operand;
        case Atomic::bit_xor: return old ^ operand;
        default: return operand;
    }
}

}  // namespace FORETELL_WIDTH
}  // namespace foretell::semantics
