// Summary statistics of many design points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foretell {

struct Bins {
    std::int64_t first;
    std::vector<std::int64_t> counts;
};

// Histogram of the numbers shifted to the right: the minimum, and the counts from there on.
Bins bins(const std::int64_t* numbers, std::size_t count, int shift);

}  // namespace foretell
