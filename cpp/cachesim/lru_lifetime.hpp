// Fraction of a nest after which an unreferenced line is evicted from an LRU cache (Che's approximation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foretell::lru_lifetime {

// Pointer and increment: one number per point (1), or one for all (0).
using Numbers = std::pair<const double*, std::size_t>;

// An irregularly accessed (gathered) array: its bytes, and the bytes of all accesses to it together.
struct Gathered {
    Numbers bytes, swept;
};

// Largest multiple of 1 / `parts`, below 1, of the nest after which streamed and gathered lines do not fill the cache
// yet.
std::vector<double> lifetimes(const Numbers& streamed, const Numbers& capacity, const std::vector<Gathered>& arrays,
                              std::int64_t parts, std::size_t points);

}  // namespace foretell::lru_lifetime
