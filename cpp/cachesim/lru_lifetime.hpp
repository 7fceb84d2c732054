// After which part of a nest a line that was not met again leaves a cache (Che's approximation of LRU).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foretell::ages {

// Where one number for each point, or one for all, lies.
using Numbers = std::pair<const double*, std::size_t>;

// An array that is met by chance: its bytes, and those that all accesses together bring in.
struct Scattered {
    Numbers bytes, swept;
};

// The largest multiple of a `parts`-th of the nest, below all of it, in which what streams past and what is met by chance
// do not fill the cache yet.
void ages(const Numbers& streamed, const Numbers& capacity, const std::vector<Scattered>& arrays, std::int64_t parts,
          std::size_t points, double* out);

}  // namespace foretell::ages
