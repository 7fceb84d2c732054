// What programs describe to cuBLASLt, in memory of theirs: matrices, products, and what they prefer.
#pragma once

#include <cstdint>

namespace foretell::closed {

// cublasLtOrder_t: in columns or in rows.
enum Order : std::int32_t { in_columns = 0, in_rows = 1 };
// cublasFillMode_t: no triangle.
inline constexpr std::int32_t whole = 2;

// 64 bytes at most: what CUDA 12 has for one.
struct Layout {
    std::int32_t type, order = in_columns;
    std::uint64_t rows, columns;
    std::int64_t pitch;
    std::int32_t count = 1;
    std::int64_t distance = 0;
};
static_assert(sizeof(Layout) <= 64);

struct Operation {
    std::int32_t compute, scale, pointer_mode = 0, ta = 0, tb = 0, tc = 0, fill = whole;
    std::uint32_t epilogue = 1;
    const void* bias = nullptr;
    std::int64_t bias_distance = 0;
    std::int32_t bias_type = -1;
    // Of what this has not: scales of eight-bit numbers, results beside the product.
    const void* others[8] = {};
};
static_assert(sizeof(Operation) <= 256);

struct Preference {
    std::uint64_t values[12];
};

}  // namespace foretell::closed
