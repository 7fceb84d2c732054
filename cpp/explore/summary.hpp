// What is kept of many design points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foretell {

struct Bins {
    std::int64_t first;
    std::vector<std::int64_t> counts;
};

// How often each number occurs once all are shifted to the right: the least one, and counts of it and those after it.
Bins bins(const std::int64_t* numbers, std::size_t count, int shift);

}  // namespace foretell
