// One step of a tape, for a block of points.
#pragma once

#include <cstddef>

#include "tape/tape.hpp"

namespace foretell::tape {

// Location of an operand: a register, or a contiguous column.
struct Operand {
    const double* data = nullptr;
    std::size_t step = 0;

    const double* from(std::size_t first) const { return data + step * first; }
};

struct Step {
    Op op;
    double* out;
    bool in_column;  // out is a whole column
    Operand a, b, c;
    const Table* table = nullptr;
};

void run(const Step& step, std::size_t first, std::size_t points);

}  // namespace foretell::tape
