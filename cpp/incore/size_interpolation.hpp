// Interpolates costs at many sizes between the two simulated sizes around each
// (models/cpu/incore/size_interpolation.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foretell::size_interpolation {

// The simulated sizes around each size, and the weight of the upper one. The simulated sizes are rest + period *
// steps[n], at place n * period + rest; from `alike.from` on, only one for all rests that have the same common divisor
// with `alike.lanes`. Sizes that are not positive are their own places.
struct Around {
    std::int64_t* low;
    std::int64_t* high;
    double* weight;
};

struct Alike {
    std::int64_t from, lanes;
};

void around(const std::int64_t* sizes, std::size_t count, const std::vector<std::int64_t>& steps, std::int64_t period,
            const Alike& alike, const Around& found);

// One parameter of all points: lower place, upper place, and the weight of the upper one.
struct Side {
    const std::int64_t* low;
    const std::int64_t* high;
    const double* weight;
};

// The distinct combinations of places among the corners of all points, ascending and concatenated; and for each corner,
// all points of one before those of the next, the index of its combination.
struct Corners {
    std::vector<std::int64_t> rows;
    std::vector<std::int32_t> numbers;
};

Corners corners(const std::vector<Side>& sides, std::size_t points);

// Weighted sums of costs at the corners of each point. Each column has the costs of all `kinds` of corners.
void sums(const std::vector<Side>& sides, const std::int32_t* numbers, const double* costs, std::size_t kinds,
          std::size_t columns, std::size_t points, double* out);

}  // namespace foretell::size_interpolation
