// Vectors of lines, counters and depths, for the host's vector registers (clang's vector types).
#pragma once

#include <cstdint>

namespace foretell::trace {

using Lines = std::uint64_t __attribute__((ext_vector_type(8)));
using Counts = std::uint32_t __attribute__((ext_vector_type(16)));
using Bytes = std::uint8_t __attribute__((ext_vector_type(16)));

template <class Vector, class T>
Vector load(const T* from) {
    Vector value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

template <class Vector, class T>
void store(T* to, Vector value) {
    __builtin_memcpy(to, &value, sizeof value);
}

// A bit per pair that differs.
inline std::uint32_t different(Lines first, Lines second) {
    using Mask = bool __attribute__((ext_vector_type(8)));
    return __builtin_bit_cast(std::uint8_t, __builtin_convertvector(first != second, Mask));
}

inline std::uint32_t different(Bytes first, Bytes second) {
    using Mask = bool __attribute__((ext_vector_type(16)));
    return __builtin_bit_cast(std::uint16_t, __builtin_convertvector(first != second, Mask));
}

// table[index] for each index, all of them below 16.
inline Bytes looked_up(Bytes table, Bytes index) { return __builtin_shufflevector(table, index); }

}  // namespace foretell::trace
